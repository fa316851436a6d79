import { CurrentUser, SessionAnswer, SignedOut, SignIn } from '../session.ts';
import { anyCall, limited, withBody } from './common-errors.ts';
import { signInLimits } from './limits.ts';
import type { Operation } from './operation.ts';

const place = { below: 'base_url', path: '/session' } as const;

export const sessionOperations: readonly Operation[] = [
  {
    id: 'signIn',
    tag: 'Session',
    method: 'post',
    place,
    summary: 'Sign in',
    description: 'Sets the session cookie. An unknown address and a wrong password answer the same.',
    security: { by: 'nothing' },
    body: { type: 'application/json', schema: SignIn },
    successes: [
      { status: 200, description: 'Signed in.', schemas: [SessionAnswer], headers: ['Set-Cookie'] },
    ],
    errors: [...anyCall, ...limited, ...withBody, 'invalid_credentials', 'cross_site_request'],
    limits: signInLimits,
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
