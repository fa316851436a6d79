/** Orders of all merchants: the list, and the detail of one order. */
import Type, { type Static } from 'typebox';
import { Digits, Json, OrNull, Stamp } from './scalars.ts';
import { ComplaintAnswer, RefundAnswer } from './loss.ts';
import { CaseAnswer } from './case.ts';
import { CollectionOrder } from '../collection-order.ts';
import { TimelineEntry } from '../console/order.ts';
import { Instant, orNull } from '../scalars.ts';

/** The full detail of an order. Amounts are decimal strings in the currency beside them. */
export const OrderDetailAnswer = Type.Object({
  order: Json,
  merchant_no: Type.String(),
  timeline: Type.Array(TimelineEntry),
  quotes: Type.Array(Json),
  attempts: Type.Array(Json),
  /** Fees reserved for payments through the merchant’s own channels. */
  fee_reservations: Type.Array(
    Type.Object({
      attempt_id: Type.String(),
      state: Type.Enum(['reserved', 'captured', 'released', 'captured_late']),
      fee_ptk: Digits,
      /** The two parts that add up to `fee_ptk`. */
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
      /** In English words: what happened, the purpose of this transfer, and its two accounts. */
      why: Type.String(),
      what: Type.String(),
      what_code: OrNull(Type.String()),
      from: Type.String(),
      to: Type.String(),
    }),
  ),
  /** Sums of the postings above. */
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
        /** On the side on which the account increases; negative if the balance decreased. */
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

/** The same for a catalog order, which has no notifications. */
export const CatalogOrderDetailAnswer = Type.Object(
  {
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
  },
  { title: 'CatalogOrderDetail' },
);

const { checkout_url: _, ...orderMembers } = CollectionOrder.properties;

/** An order as its merchant reads it, without its checkout address. */
export const AdminOrder = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  ...orderMembers,
  description: Type.String({ description: 'The merchant’s description of the purchase.' }),
  created_at: Stamp,
  paid_at: orNull(
    Instant('When the payment was confirmed, by the service’s clock; null if that is not known.'),
  ),
});
export type AdminOrder = Static<typeof AdminOrder>;
