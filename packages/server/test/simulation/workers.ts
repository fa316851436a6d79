import { handOutDueCodes } from '../../src/catalog/fulfilment/hand-out-codes.ts';
import { sweepCatalog } from '../../src/catalog/orders/expire-order.ts';
import { sweepOverdue } from '../../src/collection/orders/expire-order.ts';
import { followDueDisputes } from '../../src/payments/following/follow-dispute.ts';
import { processCardWebhooks } from '../../src/payments/webhooks/process-webhooks.ts';
import { pursueDueCases } from '../../src/payments/case-money/pursue-case.ts';
import { pursueDueRefunds } from '../../src/payments/refunds/pursue-refund.ts';
import { checkDueAttempts } from '../../src/payments/card/check-due-attempts.ts';
import { releaseDueHolds } from '../../src/payments/holds/release-holds.ts';
import { resolveAll } from './loss-moves.ts';
import { listAll } from './provider-records.ts';
import { itemsOf, type ProviderEvent, receive, settleAsync, sim, tellNews } from './provider-moves.ts';
import { actor, type Move, type Story, type Work } from './story.ts';

/** The passes of workers; any number of processes runs them. */
const workers: readonly { name: string; weight: number; work: Work }[] = [
  { name: 'sweep', weight: 2, work: ({ orders }) => sweepOverdue(orders) },
  { name: 'sweep the catalog', weight: 1, work: ({ catalog }) => sweepCatalog(catalog) },
  { name: 'process webhooks', weight: 1, work: ({ payments }) => processCardWebhooks(payments) },
  { name: 'reconcile', weight: 3, work: ({ payments }) => checkDueAttempts(payments) },
  { name: 'pursue refunds', weight: 1, work: ({ payments }) => pursueDueRefunds(payments) },
  { name: 'follow disputes', weight: 1, work: ({ payments }) => followDueDisputes(payments) },
  { name: 'pursue cases', weight: 1, work: ({ payments }) => pursueDueCases(payments) },
  { name: 'hand out codes', weight: 1, work: ({ catalog }) => handOutDueCodes(catalog) },
  { name: 'release holds', weight: 3, work: ({ payments }) => releaseDueHolds(payments) },
];

/** Runs several courses of action side by side, to their end. */
export type Together = (courses: readonly { name: string; work: Work }[]) => Promise<void>;

export const workerMoves: readonly Move[] = workers.map(({ name, weight, work }) => ({
  name,
  weight,
  begin: () => actor(work),
}));

/** Finishes all work under way, as a platform does in two quiet weeks. */
export async function settleDown(story: Story, together: Together): Promise<void> {
  const { world } = story;
  const alone = (work: Work): Promise<void> => together([{ name: 'alone', work }]);
  await sim(story, 'DELETE', '/faults');
  await decideDisputes(story);
  // The provider repeats each event until it is acknowledged, so in the end all have arrived, in any order.
  const events = await itemsOf<ProviderEvent>(story, '/events');
  story.told = events.length;
  await alone(async (deps) => {
    while (events.length > 0) {
      const [event] = events.splice(world.random.between(0, events.length - 1), 1);
      if (event !== undefined) await receive(story, deps, event);
    }
  });
  for (const { beginning, rounds, seconds } of [
    { beginning: 'at once', rounds: 6, seconds: 70 },
    { beginning: 'alone', rounds: 3, seconds: 3_700 },
    { beginning: 'alone', rounds: 1, seconds: 86_400 },
    { beginning: 'at once', rounds: 2, seconds: 4 * 86_400 },
  ] as const) {
    if (beginning === 'at once') await atOnce(story, together);
    for (let i = 0; i < rounds; i++) {
      await settleAsync(story, () => world.random.pick(['succeeded', 'failed']));
      await alone(async (deps) => {
        await tellNews(story, deps);
        for (const { work } of workers) await work(deps);
        await resolveAll(deps);
      });
      world.clock.advance(seconds);
    }
  }
}

/** Banks decide all disputes that are open. */
async function decideDisputes(story: Story): Promise<void> {
  const { world } = story;
  const sessions = await itemsOf<{ id: string; payment_intent: string | null }>(story, '/sessions');
  for (const { id: dispute_id, status, payment_intent } of await listAll(world, 'disputes')) {
    const session = sessions.find((one) => one.payment_intent === payment_intent);
    if (status === 'lost' || status === 'won' || session === undefined) continue;
    const outcome = world.random.pick(['lost', 'won']);
    await sim(story, 'POST', `/sessions/${session.id}/dispute`, { dispute_id, outcome });
  }
}

/** Two processes that begin at the same time, so that their workers take up the same items. */
async function atOnce({ world }: Story, together: Together): Promise<void> {
  const left = [...workers, ...workers];
  while (left.length > 0) {
    const some = Array.from({ length: 4 }, () => left.splice(world.random.between(0, left.length - 1), 1));
    await together(some.flat());
  }
}
