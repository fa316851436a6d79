/** The administration’s calls about people’s accounts and wallets. */
import Type from 'typebox';
import {
  EndedSessions,
  NewUser,
  RemovedFactors,
  UserAnswer,
  UserChange,
  UserWalletAnswer,
} from '../../admin/user.ts';
import { TopUpRequest } from '../../admin/wallet.ts';
import { query } from '../parameters.ts';
import { change, createdOrRepeated, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const user = titled('User', UserAnswer);
const userWallet = titled('UserWallet', UserWalletAnswer);

export const userOperations: readonly Operation[] = [
  list({
    id: 'listUsers',
    path: '/users',
    summary: 'List people',
    query: [
      query(
        'q',
        'Only people whose name or email address begins with this text, or the person with this id. Returns the ' +
          'first `limit` on one page.',
        Type.String(),
      ),
    ],
    item: user,
  }),
  change({
    id: 'createUser',
    method: 'post',
    path: '/users',
    summary: 'Create an account',
    body: titled('NewUser', NewUser),
    answer: user,
    statuses: [201],
    errors: ['already_exists'],
  }),
  read({
    id: 'readUser',
    path: '/users/{user_id}',
    summary: 'Read an account',
    answer: user,
  }),
  change({
    id: 'changeUser',
    method: 'patch',
    path: '/users/{user_id}',
    summary: 'Change an account',
    description:
      'Changes the role or the name, or disables the account. A disabled person is signed out everywhere, and apps ' +
      'lose the person’s tokens. One active administrator always stays. Needs a reason.',
    body: titled('UserChange', UserChange),
    answer: user,
    errors: ['last_administrator'],
  }),
  change({
    id: 'endUserSessions',
    method: 'delete',
    path: '/users/{user_id}/sessions',
    summary: 'Sign a person out everywhere',
    answer: titled('EndedSessions', EndedSessions),
  }),
  change({
    id: 'removeUserFactors',
    method: 'delete',
    path: '/users/{user_id}/factors',
    summary: 'Remove a person’s second factors',
    description:
      'For a person who has lost them: removes the authenticator app, the passkeys and the recovery codes. The ' +
      'password alone then signs in.',
    answer: titled('RemovedFactors', RemovedFactors),
  }),
  read({
    id: 'readUserWallet',
    path: '/users/{user_id}/wallet',
    summary: 'Read a person’s wallet',
    answer: userWallet,
  }),
  change({
    id: 'topUpUser',
    method: 'post',
    path: '/users/{user_id}/ptk-top-ups',
    summary: 'Add PTK to a person’s wallet',
    description: 'Happens once per reference. With `paid` the PTK was bought; without it the PTK was given.',
    body: titled('TopUpRequest', TopUpRequest),
    answer: userWallet,
    statuses: createdOrRepeated,
    mayWait: true,
    errors: ['reference_conflict'],
  }),
];
