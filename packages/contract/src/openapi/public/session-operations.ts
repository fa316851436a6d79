/** Signing in and out. */
import { CurrentUser, SecondFactor, SessionAnswer, SignedOut, SignIn } from '../../session.ts';
import { anyCall, limited, withBody } from '../common-errors.ts';
import { secondFactorLimit, signInLimits } from '../limits.ts';
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
      'Sets the session cookie. An unknown address and a wrong password answer the same. Where a second factor is ' +
      'set up, a right password answers 401 `second_factor_required` and a cookie that stands for it for ten ' +
      'minutes: send that along with the code to `/session/second-factor`.',
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
      'Sends the code that follows a right password, with the cookie that `POST /session` has set. A code counts ' +
      'once. Without a right password behind it the answer is 401 `authentication_required`: sign in again.',
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
    summary: 'See who is signed in',
    description: 'The person that the session cookie belongs to.',
    security: { by: 'session_cookie' },
    successes: [{ status: 200, description: 'Somebody is signed in.', schemas: [CurrentUser] }],
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
      'Ends the session on the server and clears the cookie. A browser’s own headers show that our page asked.',
    security: { by: 'session_cookie' },
    successes: [{ status: 200, description: 'Signed out.', schemas: [SignedOut], headers: ['Set-Cookie'] }],
    errors: [...anyCall, 'cross_site_request'],
    limits: [],
  },
];
