/** The resolution of a case, as a write that may wait for a second person if it moves the money of the case. */
import type { CaseAction } from '@paydesk/contract';
import type { Tx } from '../../base/pg/index.ts';
import { priceAt, selectRate, toPtk } from '../../currencies/index.ts';
import { isPartOfOrder, lostOf, type PaymentCase } from '../../payments/cases/index.ts';
import { followEarlierLosses, followRefunds } from '../../payments/following/index.ts';
import { askBeforeResolving, resolveCase } from '../../payments/decisions/index.ts';
import { pursueCase } from '../../payments/case-money/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { cases } from '../request/permissions.ts';
import { caseJson } from './case-json.ts';

type CaseAsked = { case_id: string; loss_amount?: string | undefined };

const caseWrite = (action: CaseAction): GuardedWrite<CaseAsked> => ({
  action: `case.${action}`,
  askedBy: cases,
  subjectOf: ({ case_id }) => case_id,
  prepare: ({ payments }, { case_id }) => askBeforeResolving(payments, case_id, action),
  async run(deps, tx, { case_id, loss_amount }, { reason }) {
    const decision = { action, reason: reason ?? '', loss_amount };
    const { before, after } = await resolveCase(deps.payments, tx, case_id, decision);
    return {
      target: `case:${case_id}`,
      before: caseJson(before),
      after: caseJson(after),
      amount_ptk: movesMoney(action, before) ? await moneyInPtk(deps, tx, before, after) : 0n,
      follow: async () => {
        const pays = action === 'adopt' || action === 'accept';
        if (pays) await followPaid(deps, after, followEarlierLosses);
        const pursued = await pursueOrLeaveToWorker(deps, after);
        // What went back beside the rest while it was not decided (D-1260).
        if (!pays && pursued.state === 'resolved' && isPartOfOrder(pursued))
          await followPaid(deps, pursued, followRefunds);
        return caseJson(pursued);
      },
    };
  },
});

/** The write of each action. */
export const caseWrites: Readonly<Record<CaseAction, GuardedWrite<CaseAsked>>> = {
  accept: caseWrite('accept'),
  adopt: caseWrite('adopt'),
  refund: caseWrite('refund'),
  repay: caseWrite('repay'),
  void: caseWrite('void'),
  absent: caseWrite('absent'),
  close: caseWrite('close'),
};

/** A case that holds money is closed only over what a lost dispute has taken, as its person says (D-874). */
const movesMoney = (action: CaseAction, { booked }: PaymentCase): boolean =>
  action === 'refund' || action === 'repay' || action === 'adopt' || (action === 'close' && booked);

/**
 * What is paid back, adopted or closed over, in PTK at the current rate: the money of a case has no locked price. Null if
 * there is no rate.
 */
async function moneyInPtk(
  { clock }: AdminDeps,
  tx: Tx,
  before: PaymentCase,
  after: PaymentCase,
): Promise<bigint | null> {
  const { refund_amount, amount, currency, currency_decimals } = after;
  const part = lostOf(after) - lostOf(before);
  const moved = part > 0n ? part : (refund_amount ?? amount);
  if (moved === null || currency === null || currency_decimals === null) return null;
  const price_e12 = priceAt(currency, await selectRate(tx, currency), clock.now());
  return price_e12 === null ? null : toPtk(moved, currency_decimals, price_e12);
}

/** Pursues the refund of a case. The refund is already stored: if this call fails, a worker tries again. */
async function pursueOrLeaveToWorker(
  { payments, log }: AdminDeps,
  decided: PaymentCase,
): Promise<PaymentCase> {
  if (decided.refund_status === null) return decided;
  try {
    return await pursueCase(payments, decided);
  } catch (error) {
    log.error(
      { err: error, case_id: decided.case_id },
      'could not pursue the refund of a case; the worker tries again',
    );
    return decided;
  }
}

/** A payment that was adopted or accepted may have been refunded or disputed already. Its webhooks found no paid order then (D-205). */
async function followPaid(
  { payments, log }: AdminDeps,
  { case_id, payment_no, provider_payment_id }: PaymentCase,
  follow: typeof followEarlierLosses | typeof followRefunds,
): Promise<void> {
  try {
    await follow(payments, payment_no ?? '', provider_payment_id ?? '');
  } catch (error) {
    log.error(
      { err: error, case_id },
      'could not follow the refunds of a payment that a person gave to its order; the nightly comparison lists them',
    );
  }
}
