/** The decision on a withdrawal, as a write that may wait for a second person if the withdrawal is paid. */
import { maxOf } from '../../base/money.ts';
import type { Tx } from '../../base/pg/index.ts';
import { priceAt, selectRate, toPtk } from '../../currencies/index.ts';
import { decideWithdrawal, type Withdrawal, type WithdrawalDecision } from '../../ledger/wallets/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import { money } from '../request/permissions.ts';
import { amountLimit } from './bank-money.ts';
import { withdrawalJson } from './withdrawal-json.ts';

export const withdrawalWrite: GuardedWrite<{ withdrawal_id: string; decision: WithdrawalDecision }> = {
  action: 'withdrawal.decide',
  askedBy: money,
  subjectOf: ({ withdrawal_id, decision }) => `${withdrawal_id} ${decision}`,
  async run({ clock }, tx, { withdrawal_id, decision }) {
    const now = clock.now();
    const { before, after } = await decideWithdrawal(tx, withdrawal_id, decision, now);
    return {
      target: `withdrawal:${withdrawal_id}`,
      before: withdrawalJson(before),
      after: withdrawalJson(after),
      // A rejected withdrawal goes back into the wallet: nothing leaves.
      amount_ptk: decision === 'paid' ? await leavingPtk(tx, after, now) : 0n,
    };
  },
};

/**
 * The PTK of a withdrawal, or what the bank pays for it at the current rate if that is more: its request names both, and
 * little PTK with a large payout must not pass alone (D-625). Null if there is no rate, or if it is more than can be
 * stored.
 */
async function leavingPtk(
  tx: Tx,
  { amount_ptk, payout_currency, payout_decimals, payout_amount }: Withdrawal,
  now: Date,
): Promise<bigint | null> {
  const price_e12 = priceAt(payout_currency, await selectRate(tx, payout_currency), now);
  if (price_e12 === null) return null;
  const leaving = maxOf(amount_ptk, toPtk(payout_amount, payout_decimals, price_e12));
  return leaving < amountLimit ? leaving : null;
}
