/** Every scope there is. */
export const scopes = [
  'openid',
  'email',
  'merchant.profile.read',
  'products.read',
  'orders.create',
  'orders.read',
  'payments.create',
  'payments.read',
  'merchant_payments.read',
  'merchant_payments.create',
] as const;

export type Scope = (typeof scopes)[number];

/** Scopes of the calls that accept tokens of the client-credentials grant: what such a token gets unasked (D-167). */
export const clientGrantScopes: readonly Scope[] = [
  'merchant.profile.read',
  'products.read',
  'merchant_payments.read',
  'merchant_payments.create',
];

/** What a person can let a client do: everything but the calls that are for servers alone (D-171). */
export const userScopes: readonly Scope[] = scopes.filter((scope) => !scope.startsWith('merchant_payments.'));

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
