import { lossMoves } from './loss-moves.ts';
import { orderMoves } from './order-moves.ts';
import { providerMoves } from './provider-moves.ts';
import { actor, anyOf, type Begun, type Move, type Story } from './story.ts';
import { topUpMoves } from './top-up-moves.ts';
import { walletMoves } from './wallet-moves.ts';
import { workerMoves } from './workers.ts';

/** A client that got no answer, or is impatient, asks once more. */
function beginAgain(story: Story): Begun | null {
  const work = anyOf(story, story.repeatable.slice(-2));
  return work === null ? null : actor(work);
}

function timePasses(story: Story): Begun {
  const seconds = story.world.random.pick([1, 13, 13, 61, 61, 599, 1_900, 7_201, 90_000]);
  return {
    outside: () => {
      story.world.clock.advance(seconds);
      return Promise.resolve(true);
    },
  };
}

/** Everything that can happen. */
export const moves: readonly [Move, ...Move[]] = [
  { name: 'time passes', weight: 3, begin: timePasses },
  ...orderMoves,
  ...providerMoves,
  ...workerMoves,
  ...lossMoves,
  ...walletMoves,
  ...topUpMoves,
  {
    name: 'the same once more',
    weight: 2,
    // The second call can have another result than the first.
    refusals: [
      'channel_unavailable',
      'merchant_fee_funding_unavailable',
      'insufficient_balance',
      'amount_exceeds_debt',
      'recovery_outstanding',
      'app_limit_exceeded',
      'invalid_amount',
    ],
    begin: beginAgain,
  },
];
