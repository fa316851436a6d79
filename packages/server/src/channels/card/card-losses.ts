/** Refunds and disputes at the card provider, in our terms. */
import type Stripe from 'stripe';
import { answered, type CardClients, type Lookup, type Unanswered } from './card-client.ts';
import type { Channel } from '../index.ts';

/** A refund as the provider reports it. */
export interface CardRefund {
  id: string;
  /** `pending`: not decided yet. `failed`: the money will never reach the buyer. */
  status: 'succeeded' | 'pending' | 'failed';
  /** Minor units. */
  amount: bigint;
  /** Upper case. */
  currency: string;
  /** The provider's payment that is refunded; null where the refund names none. */
  payment_id: string | null;
  /** The case that requested it; null for a refund of an order. */
  case_id: string | null;
}

/** A dispute as the provider reports it. The buyer's bank opens and decides it. */
export interface CardDispute {
  id: string;
  status: 'open' | 'won' | 'lost';
  /** The disputed amount, in minor units. */
  amount: bigint;
  /** Upper case. */
  currency: string;
  payment_id: string | null;
}

/** What the provider tells the people who answer a dispute. */
export interface DisputeNews {
  /** The provider's word, such as `needs_response`. */
  state: string;
  /** The provider's word, such as `fraudulent`. */
  reason: string;
  /** When the bank stops waiting for evidence; null where it takes none. */
  due_by: Date | null;
  /** How often evidence was submitted. */
  submissions: number;
  opened_at: Date;
}

export type DisputeWithNews = CardDispute & { news: DisputeNews };

/** A file to upload. */
export interface NewFile {
  bytes: Buffer;
  content_type: string;
  name: string;
  idempotency_key: string;
}

/** Evidence by member: texts, and ids of uploaded files. A retry repeats all of it under the same key. */
export interface NewEvidence {
  dispute_id: string;
  evidence: Readonly<Record<string, string>>;
  idempotency_key: string;
}

/** The parameters of a refund. A retry repeats all of them under the same key. */
export interface NewRefund {
  payment_id: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  idempotency_key: string;
  metadata: Record<string, string>;
}

/** How the request for a refund ended, as for sessions (D-091). */
export type RefundCreation = { kind: 'created'; refund: CardRefund } | Unanswered;

/** The calls for refunds and disputes. */
export interface CardLosses {
  refund(channel: Channel, refund: NewRefund): Promise<RefundCreation>;
  refundById(channel: Channel, refund_id: string): Promise<Lookup<CardRefund>>;
  /** Every refund of a payment, newest first, also those made in the provider's dashboard. */
  refundsOf(channel: Channel, payment_id: string): Promise<Lookup<CardRefund[]>>;
  dispute(channel: Channel, dispute_id: string): Promise<Lookup<DisputeWithNews>>;
  uploadEvidence(channel: Channel, file: NewFile): Promise<{ kind: 'created'; file_id: string } | Unanswered>;
  /** Submits evidence to the bank. */
  submitEvidence(
    channel: Channel,
    evidence: NewEvidence,
  ): Promise<{ kind: 'created'; dispute: DisputeWithNews } | Unanswered>;
  /** The disputes about a payment, newest first; at most 100. */
  disputesOf(channel: Channel, payment_id: string): Promise<Lookup<CardDispute[]>>;
}

export function cardLosses({ ask, lookup }: CardClients): CardLosses {
  return {
    refund: (channel, { payment_id, amount, metadata, idempotency_key: idempotencyKey }) =>
      answered(async () => {
        const created = await ask(channel, (client) =>
          client.refunds.create(
            // Sent as text of the integer, so that it never becomes a floating-point number.
            { payment_intent: payment_id, amount: amount.toString() as unknown as number, metadata },
            { idempotencyKey },
          ),
        );
        return { kind: 'created', refund: refundFrom(created) };
      }),

    refundById: (channel, refund_id) =>
      lookup(async () => refundFrom(await ask(channel, (client) => client.refunds.retrieve(refund_id)))),

    refundsOf: (channel, payment_id) =>
      lookup(async () => {
        const refunds: CardRefund[] = [];
        for (;;) {
          const last = refunds.at(-1);
          const page = await ask(channel, (client) =>
            client.refunds.list({
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
      lookup(async () => withNews(await ask(channel, (client) => client.disputes.retrieve(dispute_id)))),

    uploadEvidence: (channel, { bytes, content_type: type, name, idempotency_key: idempotencyKey }) =>
      answered(async () => {
        // The package sends files to their own host, unless the channel names another host for all calls.
        const upload = { purpose: 'dispute_evidence', file: { data: bytes, name, type } } as const;
        const created = await ask(channel, (client) => client.files.create(upload, { idempotencyKey }));
        if (typeof created.id !== 'string') throw new TypeError('not a file');
        return { kind: 'created', file_id: created.id };
      }),

    submitEvidence: (channel, { dispute_id, evidence, idempotency_key: idempotencyKey }) =>
      answered(async () => {
        const updated = await ask(channel, (client) =>
          client.disputes.update(dispute_id, { evidence, submit: true }, { idempotencyKey }),
        );
        return { kind: 'created', dispute: withNews(updated) };
      }),

    disputesOf: (channel, payment_id) =>
      lookup(async () => {
        const page = await ask(channel, (client) =>
          client.disputes.list({ payment_intent: payment_id, limit: 100 }),
        );
        return page.data.map(disputeFrom);
      }),
  };
}

const refundEnds: Partial<Record<string, CardRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** A closed inquiry and a prevented dispute cost nothing, so they count as won. */
const disputeEnds: Partial<Record<string, CardDispute['status']>> = {
  lost: 'lost',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
};

export function refundFrom(refund: Partial<Stripe.Refund>): CardRefund {
  const { id, status } = refund;
  if (typeof id !== 'string' || typeof status !== 'string') throw new TypeError('not a refund');
  const case_id = refund.metadata?.case_id ?? null;
  return { id, status: refundEnds[status] ?? 'pending', ...moneyOf(refund), case_id };
}

export function disputeFrom(dispute: Partial<Stripe.Dispute>): CardDispute {
  const { id, status } = dispute;
  if (typeof id !== 'string' || typeof status !== 'string') throw new TypeError('not a dispute');
  return { id, status: disputeEnds[status] ?? 'open', ...moneyOf(dispute) };
}

function withNews(dispute: Partial<Stripe.Dispute>): DisputeWithNews {
  const { status: state = '', reason = '', created = 0, evidence_details } = dispute;
  const { due_by, submission_count = 0 } = evidence_details ?? {};
  return {
    ...disputeFrom(dispute),
    news: {
      ...{ state, reason, submissions: submission_count, opened_at: new Date(created * 1_000) },
      due_by: due_by === undefined || due_by === null || due_by === 0 ? null : new Date(due_by * 1_000),
    },
  };
}

/** Throws where the amount is not a whole number of minor units, so that nothing is decided on it. */
function moneyOf({ amount, currency, payment_intent }: Partial<Stripe.Refund> | Partial<Stripe.Dispute>) {
  if (!Number.isSafeInteger(amount) || typeof currency !== 'string') throw new TypeError('not an amount');
  return {
    amount: BigInt(amount ?? 0),
    currency: currency.toUpperCase(),
    payment_id: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
  };
}
