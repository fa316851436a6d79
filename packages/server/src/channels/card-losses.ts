import type Stripe from 'stripe';
import { type CardClients, type Lookup, type Unanswered, unanswered } from './card-client.ts';
import type { Channel } from './channel.ts';

/** A refund as the provider reports it, in our terms. */
export interface CardRefund {
  id: string;
  /** `pending` is still under way, whatever it waits for; `failed` will never reach the buyer. */
  status: 'succeeded' | 'pending' | 'failed';
  /** Minor units. */
  amount: bigint;
  /** Upper case. */
  currency: string;
  /** The provider's payment that it returns; null where it names none. */
  payment_id: string | null;
  /** The case that it was asked for in, where it returns no order's payment. */
  case_id: string | null;
}

/** A dispute as the provider reports it: opened by the buyer's bank, and decided there. */
export interface CardDispute {
  id: string;
  status: 'open' | 'won' | 'lost';
  /** What is disputed, in minor units. */
  amount: bigint;
  /** Upper case. */
  currency: string;
  payment_id: string | null;
}

/** What to refund; a retry repeats all of it under the same key. */
export interface NewRefund {
  payment_id: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  idempotency_key: string;
  metadata: Record<string, string>;
}

/** How asking for a refund ended, told apart as for sessions (D-091). */
export type RefundCreation = { kind: 'created'; refund: CardRefund } | Unanswered;

/** What gives money back, or takes it back. */
export interface CardLosses {
  refund(channel: Channel, refund: NewRefund): Promise<RefundCreation>;
  refundById(channel: Channel, refund_id: string): Promise<Lookup<CardRefund>>;
  /** Every refund of a payment, newest first, whoever asked for it. */
  refundsOf(channel: Channel, payment_id: string): Promise<Lookup<CardRefund[]>>;
  dispute(channel: Channel, dispute_id: string): Promise<Lookup<CardDispute>>;
  /** The disputes about a payment, newest first; there are never many. */
  disputesOf(channel: Channel, payment_id: string): Promise<Lookup<CardDispute[]>>;
}

export function cardLosses({ of: clientOf, withinTime, lookup }: CardClients): CardLosses {
  return {
    async refund(channel, { payment_id, amount, metadata, idempotency_key: idempotencyKey }) {
      try {
        const created = await withinTime(
          clientOf(channel).refunds.create(
            // The wire carries text: written from the integer itself, the amount never becomes a double.
            { payment_intent: payment_id, amount: amount.toString() as unknown as number, metadata },
            { idempotencyKey },
          ),
        );
        return { kind: 'created', refund: refundFrom(created) };
      } catch (error) {
        return unanswered(error);
      }
    },

    refundById: (channel, refund_id) =>
      lookup(async () => refundFrom(await withinTime(clientOf(channel).refunds.retrieve(refund_id)))),

    refundsOf: (channel, payment_id) =>
      lookup(async () => {
        const refunds: CardRefund[] = [];
        for (;;) {
          const last = refunds.at(-1);
          const page = await withinTime(
            clientOf(channel).refunds.list({
              payment_intent: payment_id,
              limit: 100,
              ...(last === undefined ? {} : { starting_after: last.id }),
            }),
          );
          refunds.push(...page.data.map(refundFrom));
          if (!page.has_more || page.data.length === 0) return refunds;
        }
      }),

    dispute: (channel, dispute_id) =>
      lookup(async () => disputeFrom(await withinTime(clientOf(channel).disputes.retrieve(dispute_id)))),

    disputesOf: (channel, payment_id) =>
      lookup(async () => {
        const asked = clientOf(channel).disputes.list({ payment_intent: payment_id, limit: 100 });
        return (await withinTime(asked)).data.map(disputeFrom);
      }),
  };
}

const refundEnds: Partial<Record<string, CardRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** An inquiry that was closed, and a dispute that was headed off, have cost nothing. */
const disputeEnds: Partial<Record<string, CardDispute['status']>> = {
  lost: 'lost',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
};

function refundFrom(refund: Partial<Stripe.Refund>): CardRefund {
  const { id, status } = refund;
  if (typeof id !== 'string' || typeof status !== 'string') throw new TypeError('not a refund');
  const case_id = refund.metadata?.case_id ?? null;
  return { id, status: refundEnds[status] ?? 'pending', ...moneyOf(refund), case_id };
}

function disputeFrom(dispute: Partial<Stripe.Dispute>): CardDispute {
  const { id, status } = dispute;
  if (typeof id !== 'string' || typeof status !== 'string') throw new TypeError('not a dispute');
  return { id, status: disputeEnds[status] ?? 'open', ...moneyOf(dispute) };
}

/** Refuses what is not a whole number of minor units: nothing is decided on it. */
function moneyOf({ amount, currency, payment_intent }: Partial<Stripe.Refund> | Partial<Stripe.Dispute>) {
  if (!Number.isSafeInteger(amount) || typeof currency !== 'string') throw new TypeError('not an amount');
  return {
    amount: BigInt(amount ?? 0),
    currency: currency.toUpperCase(),
    payment_id: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
  };
}
