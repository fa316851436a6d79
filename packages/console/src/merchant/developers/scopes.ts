/** The scopes that a client can apply for, with their purpose. */
export const scopes = [
  ['merchant_payments.create', 'create collection orders'],
  ['merchant_payments.read', 'read them, and their notifications'],
  ['merchant.profile.read', 'read the profile'],
  ['products.read', 'read products'],
  ['orders.create', 'order from the catalog for people'],
  ['orders.read', 'read their catalog orders'],
  ['payments.create', 'pay catalog orders for them'],
  ['payments.read', 'read those payments'],
  ['openid', 'know who signed in'],
  ['email', 'know their e-mail address'],
] as const;
