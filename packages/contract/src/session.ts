/** Signing in. */
import Type, { type Static } from 'typebox';
import { Text } from './scalars.ts';

export const SignIn = Type.Object(
  {
    email: Text('The e-mail address of the account.'),
    password: Text('Its password.'),
  },
  { title: 'SignIn', examples: [{ email: 'bo@example.com', password: 'correct horse battery staple' }] },
);
export type SignIn = Static<typeof SignIn>;

/** Who is signed in. */
export const SessionAnswer = Type.Object(
  {
    user_id: Text('Identifies the person.'),
    name: Text('What the person is called.'),
  },
  {
    title: 'SessionAnswer',
    examples: [{ user_id: '0195a6f2-7c1e-7d4b-9a3f-2e8c5b6d7a10', name: 'Bo Buyer' }],
  },
);
export type SessionAnswer = Static<typeof SessionAnswer>;
