/** Keeps a receipt without an attempt: a webhook about a session that no known attempt has created (D-107). */
import { later } from '../../base/time/clock.ts';
import { platformBook } from '../../base/ids.ts';
import { countUnmatched, insertCaseOnce, newCase, selectCaseByKey, updateCase } from '../cases/index.ts';
import type { SessionHint } from '../card/index.ts';
import { type PaymentDeps, finished, type HintResult } from '../engine/index.ts';
import { isOurSession } from './our-session.ts';

/** How many unmatched receipts of a merchant's own channel wait or are open at a time. */
const mostOfMerchant = 100;

/**
 * Keeps an unmatched receipt that a webhook tells of. A merchant can sign the webhooks of its own channel, and name any
 * number of sessions in them: after the first of them the others wait for the nightly comparison (D-802).
 */
export async function keepWebhooksReceipt(
  deps: PaymentDeps,
  payment_no: string,
  hint: SessionHint,
): Promise<HintResult> {
  const channel = await deps.channels.find(payment_no);
  const isFull =
    channel?.merchant_id != null &&
    (await countUnmatched(deps.db, payment_no, mostOfMerchant)) >= mostOfMerchant;
  return isFull
    ? finished('too many unmatched receipts of the merchant’s own account')
    : keepUnmatchedReceipt(deps, payment_no, hint);
}

/** Opens a waiting case for a session without a known attempt; one case for each session (R-232, D-107). */
export async function keepUnmatchedReceipt(
  deps: PaymentDeps,
  payment_no: string,
  { id, client_reference_id, metadata }: SessionHint,
): Promise<HintResult> {
  if (typeof id !== 'string') return finished('no session named');
  const channel = await deps.channels.find(payment_no);
  const reference = client_reference_id ?? null;
  const merchant_id = metadata?.merchant_id ?? null;
  if (channel === null || !isOurSession(channel, { reference, merchant_id }))
    return finished('of the merchant’s own account');
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const about = {
      merchant_id: platformBook,
      kind: 'unmatched_receipt',
      dedupe_key: receiptKey(payment_no, id),
    } as const;
    const asked = { reference, merchant_id };
    const detail = { why: 'no attempt is known for the session', asked };
    const waiting = {
      state: 'waiting',
      payment_no,
      session_id: id,
      check_at: later(now, firstWait_ms),
    } as const;
    await tx.write([insertCaseOnce(newCase(deps, { ...about, ...waiting, detail }, now))]);
    const known = await selectCaseByKey(tx, about);
    // The open case has seen the session unpaid. It may be paid by now.
    if (known?.state === 'open' && known.amount === null && known.refund_status === null) {
      await tx.write([updateCase(known, { ...known, check_at: now })]);
    }
    return finished(`unmatched: ${known?.case_id ?? ''} is ${known?.state ?? ''}`);
  });
}

/** How soon it is looked for its attempt again. */
export const firstWait_ms = 2_000;

/** The key of the case of a session: each channel that is told of it has one. */
export const receiptKey = (payment_no: string, session_id: string): string => `${payment_no} ${session_id}`;
