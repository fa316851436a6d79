/** OAuth clients, and merchants’ applications for scopes. */
import Type, { type Static } from 'typebox';
import { KeySet } from '../oauth.ts';
import { Cidrs } from './admin-key.ts';
import { Id, Name, OrNull, Reason, Stamp, Url } from './scalars.ts';

export const NewClient = Type.Object({
  merchant_no: Type.Union([Id, Type.Null()]),
  type: Type.Enum(['confidential', 'public']),
  name: Name,
  scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  redirect_uris: Type.Array(Url, { maxItems: 20 }),
  allowed_cidrs: Type.Optional(Cidrs),
});
export type NewClient = Static<typeof NewClient>;

export const ScopeChange = Type.Object({
  scopes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 }),
  reason: Reason,
});
export type ScopeChange = Static<typeof ScopeChange>;

/**
 * Omitted members stay unchanged. A public client can become confidential; the answer then shows its secret.
 */
export const ClientChange = Type.Object({
  name: Type.Optional(Name),
  redirect_uris: Type.Optional(Type.Array(Url, { maxItems: 20 })),
  allowed_cidrs: Type.Optional(Cidrs),
  disabled: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.Literal('confidential')),
  reason: Reason,
});
export type ClientChange = Static<typeof ClientChange>;

/** `jwks`: all keys of the client; null: no keys, so the client gets a secret, which only this answer shows. */
export const ClientKeysChange = Type.Object({
  jwks: Type.Union([KeySet, Type.Null()]),
  reason: Reason,
});
export type ClientKeysChange = Static<typeof ClientKeysChange>;

export const applicationStates = ['pending', 'approved', 'rejected', 'superseded'] as const;

/** `scopes`: the scopes to approve, if they differ from the requested scopes. */
export const DecisionOnScopes = Type.Object({
  decision: Type.Enum(['approve', 'reject']),
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
  reason: Reason,
});
export type DecisionOnScopes = Static<typeof DecisionOnScopes>;

export const ClientAnswer = Type.Object(
  {
    client_id: Type.String(),
    /** Only in the answer to the creation. It is not stored and cannot be shown again. */
    client_secret: Type.Optional(Type.String()),
    merchant_no: OrNull(Type.String()),
    name: Type.String(),
    type: Type.Enum(['confidential', 'public']),
    scopes: Type.Array(Type.String()),
    redirect_uris: Type.Array(Type.String()),
    /** The address ranges from which the client may get and use tokens; empty: from anywhere. */
    allowed_cidrs: Type.Array(Type.String()),
    disabled: Type.Boolean(),
    jwks: OrNull(KeySet),
    created_at: Stamp,
  },
  { title: 'Client' },
);

export const ScopeApplicationAnswer = Type.Object({
  application_id: Type.String({ pattern: '^sa_' }),
  /** The current state of the client, with the scopes that it has now. */
  client: ClientAnswer,
  scopes: Type.Array(Type.String()),
  status: Type.Enum([...applicationStates]),
  requested_by: Type.String(),
  requested_at: Stamp,
  decided_by: OrNull(Type.String()),
  decided_at: OrNull(Stamp),
  reason: OrNull(Type.String()),
  approved_scopes: OrNull(Type.Array(Type.String())),
});
