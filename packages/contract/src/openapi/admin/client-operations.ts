/** The administration’s calls about OAuth clients and applications for scopes. */
import Type from 'typebox';
import {
  applicationStates,
  ClientAnswer,
  ClientChange,
  ClientKeysChange,
  DecisionOnScopes,
  NewClient,
  ScopeApplicationAnswer,
  ScopeChange,
} from '../../admin/client.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, list, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const client = titled('Client', ClientAnswer);
const application = titled('ScopeApplication', ScopeApplicationAnswer);

export const clientOperations: readonly Operation[] = [
  list({
    id: 'listAllClients',
    path: '/clients',
    summary: 'List clients',
    query: [query('merchant_no', 'Only those of this merchant.', Type.String())],
    item: client,
  }),
  change({
    id: 'createAnyClient',
    method: 'post',
    path: '/clients',
    summary: 'Create a client',
    description: 'Only this answer contains the secret of a confidential client.',
    body: titled('NewClient', NewClient),
    answer: client,
    statuses: [201],
  }),
  change({
    id: 'changeClient',
    method: 'patch',
    path: '/clients/{client_id}',
    summary: 'Change a client',
    body: titled('ClientChange', ClientChange),
    answer: client,
  }),
  change({
    id: 'setScopes',
    method: 'put',
    path: '/clients/{client_id}/scopes',
    summary: 'Set the scopes of a client',
    body: titled('ScopeChange', ScopeChange),
    answer: client,
  }),
  change({
    id: 'setClientKeys',
    method: 'put',
    path: '/clients/{client_id}/keys',
    summary: 'Set the public keys of a client',
    description:
      'The client then proves itself by signed assertions (`private_key_jwt`), and its secrets end. `null` takes the keys ' +
      'away and makes a secret, which only this answer contains.',
    body: titled('ClientKeysChange', ClientKeysChange),
    answer: client,
  }),
  list({
    id: 'listScopeApplications',
    path: '/scope-applications',
    summary: 'List applications for scopes',
    query: [query('status', 'Only those in this state.', OneOf(applicationStates, 'A state.'))],
    item: application,
  }),
  change({
    id: 'decideScopeApplication',
    method: 'post',
    path: '/scope-applications/{application_id}/decision',
    summary: 'Decide on an application for scopes',
    body: titled('DecisionOnScopes', DecisionOnScopes),
    answer: application,
    errors: ['already_decided'],
  }),
];
