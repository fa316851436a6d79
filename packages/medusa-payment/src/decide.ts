/** Decides what the state of a collection order means for a cart of Medusa. */
import { decidePosting, type CollectionOrder } from '@paydesk/sdk';

/** A payment collection of Medusa. Amounts are decimal strings. */
export interface ShopCollection {
  /** Its id, which is the reference at Paydesk. */
  id: string;
  amount: string;
  currency: string;
  /** Whether any payment of it is captured. */
  isPaid: boolean;
  /** Whether its cart has become an order. */
  hasOrder: boolean;
  /** The payment that was booked for the same payment event, if there is one. */
  booked?: { amount: string; status_version: number; event_id: string; isRefunded: boolean } | undefined;
}

export type Decision =
  | { action: 'complete' }
  | { action: 'refund' }
  /** A person has to look at it: money is somewhere else than the shop says. */
  | { action: 'tell'; text: string }
  | { action: 'none' };

/** Decides by the SDK's rule for postings. Only a payment of exactly the cart's amount completes it (D-367). */
export function decide(
  state: CollectionOrder,
  collection: ShopCollection,
  { accept_test_mode }: { accept_test_mode: boolean },
): Decision {
  const { booked, id, currency } = collection;
  const expected = { external_reference: id, amount: booked?.amount ?? collection.amount, currency };
  const stored =
    booked === undefined
      ? undefined
      : { status_version: booked.status_version, posted_event_id: booked.event_id };
  const decision = decidePosting(stored, state, expected, { accept_test_mode });
  if (state.status === 'refunded' && booked !== undefined)
    return { action: booked.isRefunded ? 'none' : 'refund' };
  if (state.status === 'refunded' || state.status === 'chargeback') {
    const what = state.status === 'refunded' ? 'was refunded' : 'was charged back by the payer';
    return tell(state, `The payment of ${id} ${what}.`);
  }
  if (state.status !== 'paid') return { action: 'none' };
  if (decision.action === 'mismatch') {
    const isTest = decision.differences.includes('test_mode');
    const why = isTest
      ? 'It came through a test channel, which this shop does not accept'
      : `The cart needs ${expected.amount} ${currency}`;
    return unbooked(state, why);
  }
  // Medusa has given up the order and kept its payment (D-372). To complete the cart again would book a second payment.
  if (booked !== undefined && !booked.isRefunded && !collection.hasOrder) {
    const why = `${id} is paid, but its cart has not become an order, because its completion failed`;
    return tell(
      state,
      `${why}. Make the order by hand, or ask the operator of Paydesk to refund ${state.order_no}.`,
    );
  }
  if (decision.action !== 'post') return { action: 'none' };
  return collection.isPaid ? unbooked(state, 'The cart is paid already') : { action: 'complete' };
}

const tell = ({ order_no, amount, currency }: CollectionOrder, text: string): Decision => ({
  action: 'tell',
  text: `Paydesk, ${order_no} of ${amount} ${currency}: ${text}`,
});

const unbooked = (state: CollectionOrder, why: string): Decision =>
  tell(
    state,
    `${state.external_reference} was paid, but nothing was booked. ${why}. Ask the operator of Paydesk to refund ${state.order_no}.`,
  );
