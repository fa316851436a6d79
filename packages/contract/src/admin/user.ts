/** Accounts of people, as administrators create and read them. */
import Type, { type Static } from 'typebox';
import { Digits, Name, Stamp } from './scalars.ts';

export const NewUser = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 1_024 }),
  name: Name,
  role: Type.Optional(Type.Enum(['user', 'admin'])),
});
export type NewUser = Static<typeof NewUser>;

export const UserAnswer = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum(['user', 'admin']),
  created_at: Stamp,
});

export const UserWalletAnswer = Type.Object({ available_ptk: Digits });
