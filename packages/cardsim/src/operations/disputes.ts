/** Opening, answering, deciding and reading disputes. */
import { expandBody, listRecords, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { recordEvent, type EventOrigin } from '../webhooks/events.ts';
import { optionalChoice, optionalText, optionalTree } from '../api/params.ts';
import { invalidParameter, notAllowedNow } from '../api/stripe-error.ts';
import {
  evidence_files,
  evidence_texts,
  most_evidence_bytes,
  most_evidence_characters,
} from '../records/evidence.ts';
import type { DisputeRecord, DisputeStatus, EventRecord, PaymentRecord } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { wireDispute } from '../api/wire.ts';

export type DisputeOutcome = 'lost' | 'won';

export type DisputeTerms = {
  /** Whether it is an inquiry, which may become a dispute. */
  inquiry: boolean;
  reason: string;
  due_in_seconds: number;
  /** By default all that can be disputed. */
  amount: bigint | undefined;
  /** A dispute can be in another currency than the payment. */
  currency: string;
};

export const dispute_reasons = [
  'fraudulent',
  'product_not_received',
  'product_unacceptable',
  'duplicate',
  'subscription_canceled',
  'credit_not_processed',
  'unrecognized',
  'general',
] as const;

/** The disputes about a payment, oldest first. */
export const disputesOf = ({ store }: Sim, { id }: PaymentRecord): DisputeRecord[] =>
  Array.from(store.disputes.values()).filter(({ payment_intent }) => payment_intent === id);

/** What was paid, was not refunded, and is in no dispute that is open or lost. */
export function disputable(sim: Sim, payment: PaymentRecord): bigint {
  const gone = disputesOf(sim, payment)
    .filter((one) => !isWithdrawn(one) && one.currency === payment.currency)
    .reduce((sum, { amount }) => sum + amount, 0n);
  return payment.amount - payment.amount_refunded - gone;
}

/** Opens a dispute about what can be disputed, or a part of it. The caller has checked the part. */
export function openDispute(
  sim: Sim,
  payment: PaymentRecord,
  { inquiry, reason, due_in_seconds, amount, currency }: DisputeTerms,
): { dispute: DisputeRecord; event: EventRecord } {
  const dispute: DisputeRecord = {
    id: sim.newId('du_'),
    account: payment.account,
    livemode: payment.livemode,
    payment_intent: payment.id,
    charge_id: payment.charge_id,
    created: sim.clock.seconds(),
    amount: amount ?? disputable(sim, payment),
    currency,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
    reason,
    due_by: sim.clock.seconds() + due_in_seconds,
    evidence: {},
    submission_count: 0,
    past_due: false,
  };
  sim.store.disputes.set(dispute.id, dispute);
  payment.dispute_id = dispute.id;
  const event = recordEvent(sim, dispute, 'charge.dispute.created', wireDispute(dispute));
  return { dispute, event };
}

const open_statuses: readonly DisputeStatus[] = [
  'warning_needs_response',
  'warning_under_review',
  'needs_response',
  'under_review',
];

/** Whether the dispute is not decided yet. */
export const isOpen = ({ status }: DisputeRecord): boolean => open_statuses.includes(status);

/** Whether the dispute has ended without a loss. */
export const isWithdrawn = ({ status }: DisputeRecord): boolean =>
  status === 'won' || status === 'warning_closed';

/** Opens a dispute again that had ended without a loss, as a bank does that escalates an inquiry. */
export function reopenDispute(sim: Sim, dispute: DisputeRecord): EventRecord {
  dispute.status = 'needs_response';
  return recordEvent(sim, dispute, 'charge.dispute.updated', wireDispute(dispute));
}

/** Decides an open dispute. An inquiry that is won was closed without becoming a dispute. */
export function closeDispute(
  sim: Sim,
  dispute: DisputeRecord,
  outcome: DisputeOutcome,
  origin: EventOrigin = null,
): EventRecord {
  dispute.status = outcome === 'won' && dispute.status.startsWith('warning_') ? 'warning_closed' : outcome;
  return recordEvent(sim, dispute, 'charge.dispute.closed', wireDispute(dispute), origin);
}

/** Evidence that decides a test dispute at once, as at the provider, in `uncategorized_text`. */
const deciding: { readonly [text: string]: DisputeOutcome } = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
};

/** `POST /v1/disputes/{id}`: takes evidence, and submits it to the bank unless `submit` is false. */
export function updateDispute(call: Call): Outcome {
  const { sim, params } = call;
  const dispute = ownRecord(sim.store.disputes, call, 'dispute', 'dispute');
  const evidence = evidenceOf(call);
  const submits = optionalChoice(params, 'submit', ['true', 'false']) !== 'false';
  if (!dispute.status.endsWith('needs_response')) {
    throw notAllowedNow(`This dispute is ${dispute.status}: it takes no evidence.`, undefined, 'evidence');
  }
  dispute.evidence = { ...dispute.evidence, ...evidence };
  if (submits) {
    dispute.submission_count = (dispute.submission_count ?? 0) + 1;
    dispute.past_due = sim.clock.seconds() > (dispute.due_by ?? Infinity);
    dispute.status = dispute.status === 'needs_response' ? 'under_review' : 'warning_under_review';
  }
  const events = [recordEvent(sim, dispute, 'charge.dispute.updated', wireDispute(dispute), call)];
  const decided = submits ? deciding[evidence['uncategorized_text'] ?? ''] : undefined;
  if (decided !== undefined) events.push(closeDispute(sim, dispute, decided, call));
  return { body: expandBody(wireDispute(dispute), call), events };
}

/** The evidence of a request, checked as the provider does. */
function evidenceOf(call: Call): { [field: string]: string } {
  const tree = optionalTree(call.params, 'evidence') ?? {};
  const evidence: { [field: string]: string } = {};
  let [characters, bytes] = [0, 0];
  for (const field of Object.keys(tree)) {
    const isFile = evidence_files.includes(field);
    const most = isFile ? 5000 : evidence_texts[field];
    const param = `evidence[${field}]`;
    if (most === undefined) {
      throw invalidParameter(param, `Received unknown parameter: ${param}`, 'parameter_unknown');
    }
    const value = optionalText(tree, field, 'evidence', most);
    if (value === undefined) continue;
    if (isFile) bytes += ownRecord(call.sim.store.files, call, 'file', param, value).size;
    else characters += value.length;
    evidence[field] = value;
  }
  if (characters > most_evidence_characters) throw invalidParameter('evidence', 'The evidence is too long.');
  if (bytes > most_evidence_bytes) throw invalidParameter('evidence', 'The files are too large together.');
  return evidence;
}

/** `GET /v1/disputes/{id}` */
export function retrieveDispute(call: Call): Outcome {
  const dispute = ownRecord(call.sim.store.disputes, call, 'dispute', 'dispute');
  return { body: expandBody(wireDispute(dispute), call) };
}

/** `GET /v1/disputes`, optionally for one `payment_intent` or `charge`. */
export function listDisputes(call: Call): Outcome {
  const payment_intent = optionalText(call.params, 'payment_intent');
  const charge = optionalText(call.params, 'charge');
  return listRecords(
    call,
    call.sim.store.disputes,
    'dispute',
    wireDispute,
    (dispute) =>
      (payment_intent === undefined || dispute.payment_intent === payment_intent) &&
      (charge === undefined || dispute.charge_id === charge),
  );
}
