/** The calls that sign people in and out. */
import Type from 'typebox';
import {
  CurrentUser,
  Reauthenticated,
  Reauthentication,
  SecondFactor,
  SessionAnswer,
  SessionList,
  SignedOut,
  SignIn,
} from '../../session.ts';
import { anyCall, limited, withBody } from '../common-errors.ts';
import { secondFactorLimit, signInLimits } from '../rate-limits.ts';
import type { Operation } from '../operation.ts';

const place = { below: 'base_url', path: '/session' } as const;

export const sessionOperations: readonly Operation[] = [
  {
    id: 'signIn',
    tag: 'Session',
    method: 'post',
    place,
    summary: 'Sign in',
    description:
      'Sets the session cookie. The answer is the same for an unknown email address and a wrong password. If a ' +
      'second factor is set up, a correct password returns 401 `second_factor_required` and a cookie that is valid ' +
      'for ten minutes: send this cookie with the code to `/session/second-factor`.',
    security: { by: 'nothing' },
    body: { type: 'application/json', schema: SignIn },
    successes: [
      { status: 200, description: 'Signed in.', schemas: [SessionAnswer], headers: ['Set-Cookie'] },
    ],
    errors: [
      ...anyCall,
      ...limited,
      ...withBody,
      'invalid_credentials',
      'second_factor_required',
      // The password has changed, or the account was disabled, meanwhile.
      'authentication_required',
      'cross_site_request',
    ],
    limits: signInLimits,
  },
  {
    id: 'confirmSignIn',
    tag: 'Session',
    method: 'post',
    place: { below: 'base_url', path: '/session/second-factor' },
    summary: 'Finish signing in',
    description:
      'Checks the code of the second factor, with the cookie that `POST /session` has set. A code can be used once. ' +
      'Without a correct password before it, the answer is 401 `authentication_required`: sign in again.',
    security: { by: 'nothing' },
    body: { type: 'application/json', schema: SecondFactor },
    successes: [
      { status: 200, description: 'Signed in.', schemas: [SessionAnswer], headers: ['Set-Cookie'] },
    ],
    errors: [
      ...anyCall,
      ...limited,
      ...withBody,
      'invalid_code',
      'authentication_required',
      'cross_site_request',
    ],
    limits: [secondFactorLimit],
  },
  {
    id: 'readSession',
    tag: 'Session',
    method: 'get',
    place,
    summary: 'Read the signed-in person',
    description: 'The person of the session cookie.',
    security: { by: 'session_cookie' },
    successes: [{ status: 200, description: 'The signed-in person.', schemas: [CurrentUser] }],
    errors: [...anyCall, 'authentication_required'],
    limits: [],
  },
  {
    id: 'signOut',
    tag: 'Session',
    method: 'delete',
    place,
    summary: 'Sign out',
    description:
      'Ends the session on the server and clears the cookie. The request must come from the service’s own page; the ' +
      'browser’s headers show this.',
    security: { by: 'session_cookie' },
    successes: [{ status: 200, description: 'Signed out.', schemas: [SignedOut], headers: ['Set-Cookie'] }],
    errors: [...anyCall, 'cross_site_request'],
    limits: [],
  },
  {
    id: 'reauthenticate',
    tag: 'Session',
    method: 'post',
    place: { below: 'base_url', path: '/session/reauthenticate' },
    summary: 'Confirm that it is you',
    description:
      'Money decisions, secrets, roles, members, keys, fees and rates need a proof of presence in the last ten ' +
      'minutes. Without one these calls answer 403 `reauthentication_required`: send the password, a code or a ' +
      'passkey here, then repeat the call. A fresh sign-in counts as a proof. Bearer keys need none.',
    security: { by: 'session_cookie' },
    body: { type: 'application/json', schema: Reauthentication },
    successes: [{ status: 200, description: 'Confirmed.', schemas: [Reauthenticated] }],
    errors: [
      ...anyCall,
      ...limited,
      ...withBody,
      'second_factor_setup_required',
      'authentication_required',
      'invalid_credentials',
      'invalid_code',
      'cross_site_request',
    ],
    limits: [secondFactorLimit],
  },
  {
    id: 'listSessions',
    tag: 'Session',
    method: 'get',
    place: { below: 'base_url', path: '/session/list' },
    summary: 'List the sessions of the signed-in person',
    description: 'The sessions of the person in all browsers, newest first; at most 100.',
    security: { by: 'session_cookie' },
    successes: [{ status: 200, description: 'The sessions.', schemas: [SessionList] }],
    errors: [...anyCall, 'second_factor_setup_required', 'authentication_required'],
    limits: [],
  },
  {
    id: 'endSession',
    tag: 'Session',
    method: 'delete',
    place: { below: 'base_url', path: '/session/{session_id}' },
    summary: 'End a session',
    description:
      'Ends one session of the signed-in person, at once in every process. The request must come from the service’s ' +
      'own page.',
    security: { by: 'session_cookie' },
    parameters: [
      {
        name: 'session_id',
        in: 'path',
        required: true,
        description: 'A session of the person, from the list.',
        schema: Type.String(),
        example: 'q3bX0mT2v8kWcY5nL1aZsg',
      },
    ],
    successes: [{ status: 200, description: 'The session has ended.', schemas: [SignedOut] }],
    errors: [
      ...anyCall,
      'second_factor_setup_required',
      'authentication_required',
      'not_found',
      'cross_site_request',
    ],
    limits: [],
  },
];
