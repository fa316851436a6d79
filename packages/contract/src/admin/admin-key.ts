/** Named administration keys, for programs that call the administration API. */
import Type, { type Static } from 'typebox';
import { Instant, Name, OrNull, Reason, Stamp } from './scalars.ts';
import { platformRoles } from './user.ts';

/** Address ranges in CIDR notation, such as `203.0.113.0/24`. Empty: from anywhere. */
export const Cidrs = Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 });

export const NewAdminKey = Type.Object({
  name: Name,
  role: Type.Enum([...platformRoles]),
  expires_at: Instant,
  allowed_cidrs: Type.Optional(Cidrs),
});
export type NewAdminKey = Static<typeof NewAdminKey>;

export const AdminKeyRevocation = Type.Object({
  reason: Reason,
  /** Whether the keys that were made with it, or with those, are revoked too. Default: true. */
  children: Type.Optional(Type.Boolean()),
});
export type AdminKeyRevocation = Static<typeof AdminKeyRevocation>;

export const AdminKeyAnswer = Type.Object({
  key_id: Type.String({ pattern: '^ak_' }),
  /** Only in the answer to the creation. It is not stored and cannot be shown again. */
  key: Type.Optional(Type.String()),
  name: Type.String(),
  role: Type.Enum([...platformRoles]),
  status: Type.Enum(['active', 'expired', 'revoked']),
  allowed_cidrs: Type.Array(Type.String()),
  created_by: Type.String(),
  created_at: Stamp,
  expires_at: Stamp,
  /** Written at most once a minute. */
  last_used_at: OrNull(Stamp),
  revoked_at: OrNull(Stamp),
  revoked_by: OrNull(Type.String()),
  revoke_reason: OrNull(Type.String()),
  /** Only in the answer to a revocation that has revoked further keys, which were made with this one. */
  revoked_children: Type.Optional(Type.Array(Type.String())),
});
