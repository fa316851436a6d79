/** Merchants, as administrators create, change and read them. */
import Type, { type Static } from 'typebox';
import { Digits, Id, Line, Name, PtkLimit, Reason, Stamp, Text, Url } from './scalars.ts';

const profile = {
  logo_url: Type.Optional(Url),
  short_description: Type.Optional(Line),
  description: Type.Optional(Text),
  business_scope: Type.Optional(Line),
  website_url: Type.Optional(Url),
  contact: Type.Optional(Line),
  hold_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 })),
  guest_purchase_allowed: Type.Optional(Type.Boolean()),
  embed_origins: Type.Optional(Type.Array(Url, { maxItems: 20 })),
};

export const NewMerchant = Type.Object({ name: Name, owner_user_id: Id, ...profile });
export type NewMerchant = Static<typeof NewMerchant>;

/** A change of the status or the credit limit requires a reason. */
export const MerchantChange = Type.Object({
  name: Type.Optional(Name),
  owner_user_id: Type.Optional(Id),
  ...profile,
  status: Type.Optional(Type.Enum(['active', 'inactive'])),
  credit_limit_ptk: Type.Optional(PtkLimit),
  reason: Type.Optional(Reason),
});
export type MerchantChange = Static<typeof MerchantChange>;

export const MerchantAnswer = Type.Object({
  merchant_no: Type.String(),
  name: Type.String(),
  owner_user_id: Type.String(),
  status: Type.Enum(['active', 'inactive']),
  hold_days: Type.Integer(),
  guest_purchase_allowed: Type.Boolean(),
  credit_limit_ptk: Digits,
  logo_url: Type.String(),
  short_description: Type.String(),
  description: Type.String(),
  business_scope: Type.String(),
  website_url: Type.String(),
  contact: Type.String(),
  embed_origins: Type.Array(Type.String()),
  created_at: Stamp,
});

const orders = (description: string) => Type.Integer({ minimum: 0, description });
const rate = (description: string) =>
  Type.Union([Type.String({ description }), Type.Null()], { description });
const held = (description: string) => Type.String({ pattern: '^[0-9]+$', description });

/** The figures of one merchant beside those of others. */
export const MerchantFiguresAnswer = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  created: orders('Orders created in the period.'),
  paid: orders('Orders whose payment was confirmed, including those refunded or charged back later.'),
  charged_back: orders('Orders whose payment the buyer’s bank took back.'),
  conversion: rate('`paid` of `created`, such as `0.7150`; null without orders.'),
  loss_rate: rate('`charged_back` of `paid`; null without payments.'),
  volume: Type.Array(
    Type.Object({
      currency: Type.String(),
      amount: Type.String(),
      orders: orders('The number of invoices.'),
    }),
    { description: 'Invoices of the period that are still paid, by currency.' },
  ),
  held_ptk: held('Proceeds under hold now.'),
  frozen_ptk: held('Proceeds that complaints have frozen.'),
  recovery_ptk: held('The debt to the platform.'),
});
