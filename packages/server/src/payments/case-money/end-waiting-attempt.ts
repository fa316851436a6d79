/** Ends the attempt that waits for the decision about a case. */
import type { Tx, Write } from '../../base/pg/index.ts';
import { type Attempt, selectAttempt } from '../attempts/index.ts';
import { type PaymentCase, selectCasesOfOrder } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { isAboutRequest, settleInTransaction } from '../settling/index.ts';

/** The other cases about the request of an attempt that wait for a person. */
export async function selectWaitingBeside(tx: Tx, attempt: Attempt, case_id: string): Promise<PaymentCase[]> {
  const cases = await selectCasesOfOrder(tx, attempt.merchant_id, attempt.order_no);
  return cases.filter(
    (other) => other.state === 'open' && other.case_id !== case_id && isAboutRequest(other, attempt),
  );
}

/**
 * The writes that end the attempt which waits for the decision about this case, and give back the fee that it holds. A
 * payment of a paid order through another session of an attempt leaves that attempt waiting, too (D-082). It keeps waiting
 * while another of its receipts waits (D-800), also if its wrong session was voided before (D-903); after a second payment,
 * while a case about its own request is open.
 */
export async function endWaitingAttempt(deps: PaymentDeps, tx: Tx, decided: PaymentCase): Promise<Write[]> {
  const { merchant_id, order_no, attempt_id, case_id, kind } = decided;
  if (order_no === null || attempt_id === null) return [];
  const attempt = await selectAttempt(tx, merchant_id, attempt_id);
  if (attempt?.state !== 'mismatch' || (kind !== 'mismatch' && kind !== 'duplicate_payment')) return [];
  const waiting = await selectWaitingBeside(tx, attempt, case_id);
  if (waiting.some(({ amount }) => amount !== null || kind === 'duplicate_payment')) return [];
  const { writes } = await settleInTransaction(deps, tx, attempt, { kind: 'returned', why: case_id });
  return writes;
}
