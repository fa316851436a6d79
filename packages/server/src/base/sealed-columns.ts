/**
 * Every column that holds sealed values, and the row that each value is bound to. A value is opened for its own row only,
 * so one that was copied into another row does not open there.
 */

/** The name of a row and column. It goes into the seal as associated data. */
export type SealedRow = string & { readonly sealedRow: true };

/** A column of sealed values. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The primary key of the table. */
  readonly key: readonly string[];
  /** The columns that name the row in the seal. Copies of a value have the same name, so that they need no new seal. */
  readonly bound_to: readonly string[];
  /** The column that the value is a copy of, in the row with the same `bound_to`. */
  readonly copy_of?: SealedColumn;
  nameOf(values: Readonly<Record<string, unknown>>): SealedRow;
}

function column<K extends string, B extends string = K>(
  table: string,
  name: string,
  key: readonly K[],
  bound: { name?: string; to?: readonly B[]; copy_of?: SealedColumn } = {},
): SealedColumn & { row(values: Readonly<Record<B, string>>): SealedRow } {
  const bound_to: readonly string[] = bound.to ?? key;
  const prefix = bound.name ?? `${table}.${name}`;
  const nameOf = (values: Readonly<Record<string, unknown>>): SealedRow =>
    [prefix, ...bound_to.map((part) => encodeURIComponent(String(values[part])))].join('/') as SealedRow;
  const { copy_of } = bound;
  return {
    ...{ table, column: name, key, bound_to, nameOf, row: nameOf },
    ...(copy_of === undefined ? {} : { copy_of }),
  };
}

const orderSecret = column('collection_orders', 'notify_secret_box', ['merchant_id', 'order_no']);

/** The columns by what they hold. */
export const sealed = {
  canary: column('key_ring', 'canary_box', ['singleton']),
  innerKey: column('inner_keys', 'key_box', ['key_id', 'purpose']),
  oauthSigningKey: column('oauth_signing_keys', 'private_jwk_box', ['kid']),
  totpSecret: column('totp_factors', 'secret_box', ['user_id']),
  signUpReturn: column('sign_up_requests', 'return_box', ['request_id']),
  buyerMailAddress: column('buyer_mails', 'address_box', ['mail_id']),
  merchantNotifySecret: column('merchants', 'notify_secret_box', ['merchant_id']),
  statementExportSecret: column('statement_exports', 'secret_box', ['export_id']),
  channelKey: column('channels', 'secret_key_box', ['payment_no']),
  webhookSecret: column('channels', 'webhook_secret_box', ['payment_no']),
  /** The rotation of a webhook secret moves the value here. */
  previousWebhookSecret: column('channels', 'previous_webhook_secret_box', ['payment_no'], {
    name: 'channels.webhook_secret_box',
  }),
  webhookBody: column('card_webhooks', 'body_box', ['payment_no', 'provider_event_id']),
  orderNotifySecret: orderSecret,
  /** A copy of the order's secret, so that a new event needs no key. */
  notificationSecret: column('notifications', 'secret_box', ['merchant_id', 'event_id'], {
    name: 'collection_orders.notify_secret_box',
    to: ['merchant_id', 'order_no'],
    copy_of: orderSecret,
  }),
  evidenceTexts: column('dispute_evidence', 'texts_box', ['merchant_id', 'evidence_id']),
  deliveryNote: column('catalog_orders', 'delivery_note_box', ['merchant_id', 'order_no']),
  catalogCode: column('catalog_codes', 'code_box', ['merchant_id', 'gd_no', 'code_id']),
} as const;

/** All columns. The canary comes last: while it has its old seal, so may others. */
export const sealedColumns: readonly SealedColumn[] = [
  ...Object.values(sealed).filter((one) => one !== sealed.canary),
  sealed.canary,
];

/** A column with the id of the key that a value of the row derives from. */
export const derivedColumns: readonly { table: string; column: string }[] = [
  { table: 'collection_orders', column: 'token_key_id' },
];
