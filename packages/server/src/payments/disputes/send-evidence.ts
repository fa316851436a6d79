/**
 * Sends evidence through the provider to the buyer's bank (D-343), once: stored first, and repeated under the same key
 * while its answer is unclear (D-344).
 */
import type { DisputeFileField, DisputeTexts } from '@paydesk/contract';
import { AppError, invalid, InvariantError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { later } from '../../base/time/clock.ts';
import { type PaymentDeps, processDue, selectBooksWithDue } from '../engine/index.ts';
import { type Dispute, takesEvidence } from './dispute.ts';
import { lockDispute, selectDisputeById, selectFiles } from './dispute.sql.ts';
import {
  charactersOf,
  type Evidence,
  mostBytes,
  mostCharacters,
  nextSending,
  type SentFiles,
} from './evidence.ts';
import { evidenceRows, insertEvidence, selectEvidence, updateEvidence } from './evidence.sql.ts';
import { noteDispute } from './note-dispute.ts';

/**
 * Stores evidence to send. After the commit `pursueEvidence` sends it; if the process ends before that, a worker sends
 * it.
 *
 * @param asked the texts, and the members whose uploaded files go along
 * @throws AppError `invalid_request` for evidence that is empty or too large (D-345), or a file that was not uploaded;
 *   `payment_conflict` if the dispute takes no evidence now, or evidence is being sent
 */
export async function requestEvidence(
  deps: PaymentDeps,
  tx: Tx,
  named: Pick<Dispute, 'merchant_id' | 'dispute_id'>,
  asked: { texts: DisputeTexts; files: readonly DisputeFileField[]; asked_by: string },
): Promise<Evidence> {
  const dispute = await lockDispute(tx, named);
  if (dispute === null) throw new AppError('not_found');
  const texts = Object.fromEntries(Object.entries(asked.texts).filter(([, text]) => text.trim() !== ''));
  if (Object.keys(texts).length === 0 && asked.files.length === 0) {
    throw invalid('texts', 'Send a text or a file.');
  }
  if (charactersOf(texts) > mostCharacters) {
    throw invalid('texts', `All texts together must have at most ${mostCharacters} characters.`);
  }
  const files = await filesOf(tx, dispute, asked.files);
  if (!takesEvidence(dispute)) throw conflict(`The dispute takes no evidence: it is ${dispute.state}.`);
  const before = await selectEvidence(tx, dispute);
  if (before.some(({ status }) => status === 'sending')) throw conflict('Evidence is being sent.');
  const now = deps.clock.now();
  const name = { merchant_id: dispute.merchant_id, evidence_id: `de_${deps.ids.ulid(now)}` };
  const evidence: Evidence = {
    ...{
      ...name,
      dispute_id: dispute.dispute_id,
      status: 'sending',
      files,
      detail: 'being sent to the provider',
    },
    texts_box: deps.box.seal(JSON.stringify(texts), sealed.evidenceTexts.row(name)),
    submissions_before: dispute.submissions,
    ...{ asked_by: asked.asked_by, asked_at: now, ended_at: null, check_at: later(now, 2 * deps.lease_ms) },
  };
  await insertEvidence(tx, evidence);
  return evidence;
}

const conflict = (description: string): AppError =>
  new AppError('payment_conflict', { field: 'dispute_id', description });

async function filesOf(tx: Tx, dispute: Dispute, wanted: readonly DisputeFileField[]): Promise<SentFiles> {
  const uploaded = await selectFiles(tx, dispute);
  const files = [...new Set(wanted)].map((field) => {
    const file = uploaded.find((one) => one.field === field);
    if (file === undefined) throw invalid('files', `The file for ${field} is not uploaded.`);
    return file;
  });
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes) {
    throw invalid('files', `All files together are larger than ${mostBytes / 1_000_000} MB.`);
  }
  return Object.fromEntries(
    files.map(({ field, file_id, content_type, size }) => [field, { file_id, content_type, size }]),
  );
}

/** The texts of evidence, opened. */
export const openTexts = ({ box }: Pick<PaymentDeps, 'box'>, evidence: Evidence): DisputeTexts =>
  JSON.parse(box.open(evidence.texts_box, sealed.evidenceTexts.row(evidence))) as DisputeTexts;

/**
 * Sends evidence, or finds out that it has arrived. Never call it inside a transaction.
 *
 * Invariant: the provider submits it at most once. Every request repeats the first one exactly, under the same
 * idempotency key; and before each the provider is asked whether it has it, since keys are forgotten after a day.
 */
export async function pursueEvidence(deps: PaymentDeps, evidence: Evidence): Promise<void> {
  const dispute = await selectDisputeById(deps.db, evidence.dispute_id);
  const channel = dispute === null ? null : await deps.channels.find(dispute.payment_no);
  if (dispute === null || channel === null) throw new InvariantError('evidence without dispute or channel');
  const { payment_no, dispute_id } = dispute;
  const asked_at = deps.clock.now();
  const found = await deps.cards.dispute(channel, dispute_id);
  if (found.kind !== 'found') {
    return postpone(deps, evidence, found.kind === 'failed' ? found.reason : 'dispute not found');
  }
  await noteDispute(deps, payment_no, found.value, asked_at);
  if (found.value.news.submissions > evidence.submissions_before) return end(deps, evidence, 'sent', 'sent');
  const outcome = await deps.cards.submitEvidence(channel, {
    dispute_id,
    evidence: {
      ...openTexts(deps, evidence),
      ...Object.fromEntries(Object.entries(evidence.files).map(([field, { file_id }]) => [field, file_id])),
    },
    idempotency_key: `evidence_${evidence.evidence_id}`,
  });
  switch (outcome.kind) {
    case 'created':
      await noteDispute(deps, payment_no, outcome.dispute, deps.clock.now());
      return end(deps, evidence, 'sent', 'sent');
    case 'refused':
      return end(deps, evidence, 'refused', outcome.reason);
    case 'unclear':
      return postpone(deps, evidence, outcome.reason);
  }
}

const postpone = (deps: PaymentDeps, evidence: Evidence, why: string): Promise<void> =>
  updateEvidence(deps.db, {
    ...evidence,
    check_at: nextSending(evidence, deps.clock.now()),
    detail: `unclear: ${why}`,
  });

const end = (
  deps: PaymentDeps,
  evidence: Evidence,
  status: 'sent' | 'refused',
  detail: string,
): Promise<void> =>
  updateEvidence(deps.db, { ...evidence, status, ended_at: deps.clock.now(), check_at: null, detail });

/**
 * Sends all evidence that is due: after an unclear answer, or because its process has ended.
 *
 * @returns number of sendings handled
 */
export async function sendDueEvidence(deps: PaymentDeps, limit = 100): Promise<number> {
  return processDue(deps, {
    rows: evidenceRows,
    books: await selectBooksWithDue(deps.db, evidenceRows, deps.clock.now(), limit),
    limit,
    claim_ms: 2 * deps.lease_ms,
    handle: (evidence: Evidence) => pursueEvidence(deps, evidence),
    failure: 'evidence about a dispute could not be sent; it is retried when its claim ends',
    idsOf: ({ evidence_id, dispute_id }) => ({ evidence_id, dispute_id }),
  });
}
