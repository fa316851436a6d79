/** Orders of all merchants: the list, and the detail of one order. */
import Type, { type Static } from 'typebox';
import { Digits, Json, OrNull, Stamp } from './scalars.ts';
import { ComplaintAnswer, RefundAnswer } from './loss.ts';
import { CaseAnswer } from './case.ts';
import { CollectionOrder } from '../collection-order.ts';

/** Everything about an order. Amounts are decimal strings in the currency named beside them. */
export const OrderDetailAnswer = Type.Object({
  order: Json,
  merchant_no: Type.String(),
  quotes: Type.Array(Json),
  attempts: Type.Array(Json),
  /** What was set aside for payments through the merchant's own account. */
  fee_reservations: Type.Array(
    Type.Object({
      attempt_id: Type.String(),
      state: Type.Enum(['reserved', 'captured', 'released', 'captured_late']),
      fee_ptk: Digits,
      /** The two parts it was raised from. */
      available_ptk: Digits,
      credit_ptk: Digits,
      reserved_at: Stamp,
      released_at: OrNull(Stamp),
      captured_at: OrNull(Stamp),
    }),
  ),
  postings: Type.Array(
    Type.Object({
      posting: Type.String(),
      case_key: Type.String(),
      leg: Type.Integer(),
      debit: Type.String(),
      credit: Type.String(),
      currency: Type.String(),
      amount: Type.String(),
      amount_minor: Digits,
      test_mode: Type.Boolean(),
      at: Stamp,
      /** What happened, what this transfer of it is, and what it goes from and to, in words. */
      why: Type.String(),
      what: Type.String(),
      from: Type.String(),
      to: Type.String(),
    }),
  ),
  /** What the postings come to: sums of the lines above, and nothing else. */
  money: Type.Object({
    hold: OrNull(Type.Object({ release_at: Stamp, released_at: OrNull(Stamp) })),
    totals: Type.Array(
      Type.Object({
        total: Type.String(),
        about: Type.String(),
        currency: Type.String(),
        amount: Type.String(),
        amount_minor: Type.String(),
      }),
    ),
    accounts: Type.Array(
      Type.Object({
        account: Type.String(),
        about: Type.String(),
        currency: Type.String(),
        debited: Type.String(),
        debited_minor: Digits,
        credited: Type.String(),
        credited_minor: Digits,
        /** On the side on which the account grows; negative where it holds less than before. */
        change: Type.String(),
        change_minor: Type.String(),
      }),
    ),
  }),
  refunds: Type.Array(RefundAnswer),
  complaints: Type.Array(ComplaintAnswer),
  notifications: Type.Array(Json),
  cases: Type.Array(CaseAnswer),
});

/** The same of an order of a product, without the notifications, which it has none of. */
export const CatalogOrderDetailAnswer = Type.Object({
  order: Json,
  merchant_no: Type.String(),
  quotes: OrderDetailAnswer.properties.quotes,
  attempts: OrderDetailAnswer.properties.attempts,
  fee_reservations: OrderDetailAnswer.properties.fee_reservations,
  postings: OrderDetailAnswer.properties.postings,
  money: OrderDetailAnswer.properties.money,
  refunds: OrderDetailAnswer.properties.refunds,
  complaints: OrderDetailAnswer.properties.complaints,
  cases: OrderDetailAnswer.properties.cases,
});

const { checkout_url: _, ...orderMembers } = CollectionOrder.properties;

/** An order as its merchant reads it, without the address of its checkout. */
export const AdminOrder = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  ...orderMembers,
  description: Type.String({ description: 'What the merchant says it is for.' }),
  created_at: Stamp,
});
export type AdminOrder = Static<typeof AdminOrder>;
