/** The scopes that a client can apply for, with their purpose. */
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('developers');

export const scopes = [
  ['merchant_payments.create', t('create_collection_orders')],
  ['merchant_payments.read', t('read_collection_orders_and_their_webhooks')],
  ['merchant.profile.read', t('read_the_profile')],
  ['products.read', t('read_products')],
  ['orders.create', t('order_from_the_catalog_on_behalf')],
  ['orders.read', t('read_their_catalog_orders')],
  ['payments.create', t('pay_catalog_orders_on_their_behalf')],
  ['payments.read', t('read_those_payments')],
  ['openid', t('know_who_signed_in')],
  ['email', t('know_their_email_address')],
] as const;
