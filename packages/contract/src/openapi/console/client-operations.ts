import Type from 'typebox';
import {
  ChangedClientKeys,
  ClientKeyChange,
  CreatedOwnClient,
  NewOwnClient,
  OwnClient,
  OwnClientChange,
  OwnClientPage,
  RotatedClientSecret,
  ScopeRequest,
  ScopeRequested,
  ClientSecretRotation,
} from '../../console/client.ts';
import { withBody } from '../common-errors.ts';
import { consoleBase, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { pageParameters } from '../parameters.ts';
import type { Operation, Parameter } from '../operation.ts';

const clients = `${consoleBase}/clients`;
const at = (path: string) => ({ below: 'base_url', path }) as const;

const clientIdParameter: Parameter = {
  name: 'client_id',
  in: 'path',
  required: true,
  description: 'A client of the merchant.',
  schema: Type.String(),
  example: 'cl_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};

/** The console’s calls about the merchant’s own clients. */
export const consoleClientOperations: readonly Operation[] = [
  {
    id: 'listClients',
    tag: 'Console',
    method: 'get',
    place: at(clients),
    summary: 'List clients',
    description:
      'The clients of the merchant, each with its latest application for scopes. Secrets are not shown.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter, ...pageParameters],
    successes: [{ status: 200, description: 'A page.', schemas: [OwnClientPage] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'createClient',
    tag: 'Console',
    method: 'post',
    place: at(clients),
    summary: 'Create a client',
    description:
      'The new client has no scopes yet: an administrator decides on the requested scopes. Only this answer ' +
      'contains the secret of a confidential client.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NewOwnClient },
    successes: [{ status: 201, description: 'Created.', schemas: [CreatedOwnClient] }],
    errors: [...consoleWrite, ...withBody],
    limits: [],
  },
  {
    id: 'changeOwnClient',
    tag: 'Console',
    method: 'patch',
    place: at(`${clients}/{client_id}`),
    summary: 'Disable or enable a client',
    description:
      'For owners. Disabling ends every token of the client. A client that an administrator has disabled cannot be ' +
      'enabled here: 403 `administrator_required`.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter, clientIdParameter],
    body: { type: 'application/json', schema: OwnClientChange },
    successes: [{ status: 200, description: 'The client.', schemas: [OwnClient] }],
    errors: [...consoleWrite, ...withBody, 'administrator_required'],
    limits: [],
  },
  {
    id: 'applyForScopes',
    tag: 'Console',
    method: 'post',
    place: at(`${clients}/{client_id}/scope-applications`),
    summary: 'Apply for other scopes',
    description:
      'The client keeps its current scopes until an administrator decides. This application replaces a pending one. ' +
      'An approval does not change existing tokens: request new ones afterwards.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter, clientIdParameter],
    body: { type: 'application/json', schema: ScopeRequest },
    successes: [{ status: 201, description: 'Applied for.', schemas: [ScopeRequested] }],
    errors: [...consoleWrite, ...withBody],
    limits: [],
  },
  {
    id: 'setOwnClientKeys',
    tag: 'Console',
    method: 'put',
    place: at(`${clients}/{client_id}/keys`),
    summary: 'Set the public keys of a client',
    description:
      'The client then proves itself by signed assertions (`private_key_jwt`), and its secrets end. `null` takes the keys ' +
      'away and makes a secret, which only this answer contains. Existing tokens stay valid.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter, clientIdParameter],
    body: { type: 'application/json', schema: ClientKeyChange },
    successes: [{ status: 200, description: 'Set.', schemas: [ChangedClientKeys] }],
    errors: [...consoleWrite, ...withBody],
    limits: [],
  },
  {
    id: 'rotateClientSecret',
    tag: 'Console',
    method: 'post',
    place: at(`${clients}/{client_id}/secret-rotation`),
    summary: 'Rotate the secret of a client',
    description:
      'The new secret works immediately. The old secret works for another 24 hours, so that servers can switch one ' +
      'by one. Existing tokens stay valid. The body is optional.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter, clientIdParameter],
    body: { type: 'application/json', schema: ClientSecretRotation, optional: true },
    successes: [{ status: 200, description: 'The new secret.', schemas: [RotatedClientSecret] }],
    errors: [...consoleWrite, 'request_timeout', 'request_too_large'],
    limits: [],
  },
];
