/** The scopes, and which kind of token can use them. */
/**
 * All scopes. Creating and reading collection orders are separate scopes: neither contains the other. The
 * scopes of catalog orders include neither.
 */
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

/**
 * Scopes of the calls that accept client-credentials tokens: the default of such a token (D-167). Catalog orders and
 * payments are not among them; the profile and products accept either kind.
 */
export const clientGrantScopes: readonly Scope[] = [
  'merchant.profile.read',
  'products.read',
  'merchant_payments.read',
  'merchant_payments.create',
];

/** Scopes that a person can grant to a client: all except the scopes of collection orders (D-171). */
export const userScopes: readonly Scope[] = scopes.filter((scope) => !scope.startsWith('merchant_payments.'));

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
