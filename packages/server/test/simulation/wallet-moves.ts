import {
  creditRepayment,
  guaranteeDeposit,
  guaranteeReturn,
} from '../../src/ledger/wallets/wallet-operations.ts';
import { postOnce } from '../../src/ledger/books/post-once.ts';
import { topUp } from '../../src/ledger/wallets/top-up.ts';
import {
  decideWithdrawal,
  requestWithdrawal,
  type WithdrawalDecision,
} from '../../src/ledger/wallets/withdrawals.ts';
import { selectWithdrawals } from '../../src/ledger/wallets/withdrawals.sql.ts';
import { actor, type Begun, type Move, reference, repeatable, type Story, type Work } from './story.ts';
import type { Shop } from './world.ts';

const ptk = (story: Story): bigint =>
  BigInt(story.world.random.pick([1, 5_000_000, 5_000_000, 1_000_000_000, 90_000_000_000]));

const shopOf = (story: Story): Shop => story.world.random.pick(story.world.shops);

function beginWithdrawal(story: Story): Begun {
  return repeatable(story, withdrawal(story, shopOf(story), ptk(story)));
}

export function withdrawal(story: Story, { merchant_id }: Shop, amount_ptk: bigint): Work {
  const { clock, ids } = story.world;
  const name = reference(story);
  return ({ payments: { db } }) =>
    db.transaction((tx) =>
      requestWithdrawal(tx, {
        merchant_id,
        withdrawal_id: `wd_${ids.ulid(clock.now())}`,
        reference: name,
        amount_ptk,
        payout_currency: 'USD',
        payout_decimals: 2,
        payout_amount: 100n,
        status: 'pending',
        requested_at: clock.now(),
        decided_at: null,
      }),
    );
}

function beginDecision(story: Story): Begun {
  return actor(withdrawalDecided(story.world.random.pick(['paid', 'reject'])));
}

/** Decides the latest withdrawal that waits. */
export const withdrawalDecided =
  (decision: WithdrawalDecision): Work =>
  async ({ payments: { db, clock } }) => {
    const [first] = await selectWithdrawals(db, {
      status: 'pending',
      order: 'newest',
      after: null,
      limit: 1,
    });
    if (first === undefined) return;
    await db.transaction((tx) => decideWithdrawal(tx, first.withdrawal_id, decision, clock.now()));
  };

function beginOperation(story: Story): Begun {
  const { merchant_id } = shopOf(story);
  const operation = { merchant_id, amount_ptk: ptk(story), reference: reference(story) };
  const entry = story.world.random.pick([
    guaranteeDeposit(operation, { paid: null }),
    guaranteeDeposit(operation, 'available'),
    guaranteeReturn(operation),
    creditRepayment(operation),
  ]);
  return repeatable(story, ({ payments: { db, clock } }) =>
    db.transaction((tx) => postOnce(tx, entry, clock.now())),
  );
}

function beginTopUp(story: Story): Begun {
  const { merchant_id } = shopOf(story);
  const to = story.world.random.pick([
    { merchant_id },
    { user_id: story.world.random.pick(story.world.buyers) },
  ]);
  const request = { to, amount_ptk: ptk(story), reference: reference(story), paid: null };
  return repeatable(story, ({ payments: { db, clock } }) =>
    db.transaction((tx) => topUp(tx, request, clock.now())),
  );
}

const uncovered = ['insufficient_balance'];
const owing = ['recovery_outstanding'];

export const walletMoves: readonly Move[] = [
  { name: 'top up', weight: 2, begin: beginTopUp },
  {
    name: 'operate a wallet',
    weight: 2,
    refusals: [...uncovered, 'amount_exceeds_debt'],
    begin: beginOperation,
  },
  { name: 'ask for a withdrawal', weight: 2, refusals: [...uncovered, ...owing], begin: beginWithdrawal },
  {
    name: 'decide a withdrawal',
    weight: 2,
    refusals: ['payment_conflict', ...owing],
    begin: beginDecision,
  },
];
