/** Accounts of people, as administrators create and read them. */
import Type, { type Static } from 'typebox';
import { OneOf } from '../scalars.ts';
import { Digits, Name, Reason, Stamp } from './scalars.ts';

/** Roles of the people who run the installation: platform staff. */
export const platformRoles = ['admin', 'finance', 'support', 'auditor'] as const;

export type PlatformRole = (typeof platformRoles)[number];

/** The role of an account on the platform. */
export const UserRole = OneOf(
  ['user', ...platformRoles],
  '`user`: no access to the administration. `admin`: everything. `finance`: reads, exports, money decisions. ' +
    '`support`: reads, cases, another try for notifications and webhooks. `auditor`: reads, exports.',
);
export type UserRole = Static<typeof UserRole>;

export const NewUser = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254 }),
  password: Type.String({
    minLength: 1,
    maxLength: 1_024,
    description: 'At least 10 characters, and not one of the most common passwords.',
  }),
  name: Name,
  role: Type.Optional(UserRole),
});
export type NewUser = Static<typeof NewUser>;

export const UserAnswer = Type.Object({
  user_id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: UserRole,
  disabled: Type.Boolean({ description: 'A disabled person cannot sign in.' }),
  created_at: Stamp,
});

/** A change of an account. Needs a reason. */
export const UserChange = Type.Object({
  role: Type.Optional(UserRole),
  disabled: Type.Optional(
    Type.Boolean({
      description: '`true` ends every session of the person and every token that apps hold for the person.',
    }),
  ),
  name: Type.Optional(Name),
  reason: Type.Optional(Reason),
});
export type UserChange = Static<typeof UserChange>;

export const EndedSessions = Type.Object({ ended: Type.Integer({ description: 'Number of sessions.' }) });

export const RemovedFactors = Type.Object({
  removed: Type.Integer({ description: 'Number of authenticator apps and passkeys.' }),
});

export const UserWalletAnswer = Type.Object({ available_ptk: Digits });
