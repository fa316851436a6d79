/** The decision on a withdrawal, as a write that may wait for a second person if the withdrawal is paid. */
import { decideWithdrawal, type WithdrawalDecision } from '../../ledger/wallets/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import { withdrawalJson } from './withdrawal-json.ts';

export const withdrawalWrite: GuardedWrite<{ withdrawal_id: string; decision: WithdrawalDecision }> = {
  action: 'withdrawal.decide',
  subjectOf: ({ withdrawal_id, decision }) => `${withdrawal_id} ${decision}`,
  async run({ clock }, tx, { withdrawal_id, decision }) {
    const { before, after } = await decideWithdrawal(tx, withdrawal_id, decision, clock.now());
    return {
      target: `withdrawal:${withdrawal_id}`,
      before: withdrawalJson(before),
      after: withdrawalJson(after),
      // A rejected withdrawal goes back into the wallet: nothing leaves.
      amount_ptk: decision === 'paid' ? after.amount_ptk : 0n,
    };
  },
};
