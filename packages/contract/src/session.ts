/** Bodies of the calls that sign people in and out. */
import Type, { type Static } from 'typebox';
import { UserRole } from './admin/user.ts';
import { Text } from './scalars.ts';

export const SignIn = Type.Object(
  {
    email: Text('The email address of the account.'),
    password: Text('The password of the account.'),
  },
  { title: 'SignIn', examples: [{ email: 'bo@example.com', password: 'correct horse battery staple' }] },
);
export type SignIn = Static<typeof SignIn>;

/** The code of the second factor, sent after a correct password. */
export const SecondFactor = Type.Object(
  { code: Text('The code that the authenticator app shows, or a recovery code.') },
  { title: 'SecondFactor', examples: [{ code: '123456' }] },
);
export type SecondFactor = Static<typeof SecondFactor>;

/** The person who signed in. */
export const SessionAnswer = Type.Object(
  {
    user_id: Text('Identifies the person.'),
    name: Text('The person’s name.'),
  },
  {
    title: 'SessionAnswer',
    examples: [{ user_id: '0195a6f2-7c1e-7d4b-9a3f-2e8c5b6d7a10', name: 'Bo Buyer' }],
  },
);
export type SessionAnswer = Static<typeof SessionAnswer>;

/** The person of the current session. */
export const CurrentUser = Type.Object(
  {
    user_id: Text('Identifies the person.'),
    name: Text('The person’s name.'),
    email: Text('The email address of the account, as it was entered.'),
    role: UserRole,
  },
  {
    title: 'CurrentUser',
    examples: [
      {
        user_id: '0195a6f2-7c1e-7d4b-9a3f-2e8c5b6d7a10',
        name: 'Bo Buyer',
        email: 'bo@example.com',
        role: 'user',
      },
    ],
  },
);
export type CurrentUser = Static<typeof CurrentUser>;

/** A proof that the signed-in person is present: one of the members. */
export const Reauthentication = Type.Object(
  {
    password: Type.Optional(Text('The password of the account.')),
    code: Type.Optional(Text('The code that the authenticator app shows, or a recovery code.')),
    passkey: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The answer of a passkey to the options of `POST /session/passkey/options`.',
      }),
    ),
  },
  { title: 'Reauthentication', examples: [{ password: 'correct horse battery staple' }] },
);
export type Reauthentication = Static<typeof Reauthentication>;

export const Reauthenticated = Type.Object(
  {
    user_id: Text('Identifies the person.'),
    name: Text('The person’s name.'),
    valid_until: Text('The proof counts until this time, RFC 3339.'),
  },
  {
    title: 'Reauthenticated',
    examples: [
      {
        user_id: '0195a6f2-7c1e-7d4b-9a3f-2e8c5b6d7a10',
        name: 'Bo Buyer',
        valid_until: '2026-11-22T09:20:00.000Z',
      },
    ],
  },
);
export type Reauthenticated = Static<typeof Reauthenticated>;

/** The sessions of the signed-in person. */
export const SessionList = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        session_id: Text('Names the session. It gives no access.'),
        device: Text('The device in words, as far as it is known.'),
        address: Text('The network address of the sign-in; empty if it is not known.'),
        signed_in_at: Text('When the session began, RFC 3339.'),
        last_used_at: Text('The last use, up to five minutes earlier than it was, RFC 3339.'),
        current: Type.Boolean({ description: 'Whether this request came with the session.' }),
      }),
    ),
  },
  {
    title: 'SessionList',
    examples: [
      {
        items: [
          {
            session_id: 'q3bX0mT2v8kWcY5nL1aZsg',
            device: 'Firefox on Windows',
            address: '198.51.100.7',
            signed_in_at: '2026-11-22T08:30:00.000Z',
            last_used_at: '2026-11-22T09:10:00.000Z',
            current: true,
          },
        ],
      },
    ],
  },
);
export type SessionList = Static<typeof SessionList>;

export const SignedOut = Type.Object(
  {},
  { title: 'SignedOut', description: 'An empty object.', examples: [{}] },
);
export type SignedOut = Static<typeof SignedOut>;
