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
  created_at: Stamp,
});
