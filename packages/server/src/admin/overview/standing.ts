/** The waiting work of the platform and its alarms, as the overview and the metrics show them. */
import { readOffClocks } from '../../base/clocks/clock-alarm.ts';
import { selectCurrencies, selectRates } from '../../currencies/index.ts';
import { totalFailingReceivers } from '../../notifications/receivers/index.ts';
import { readUnclearChannels } from '../../payments/backlog/index.ts';
import { selectStandingReconciliations } from '../../payments/reconciliation/index.ts';
import { readBooksOverview } from '../../verification/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { type Alarm, alarmsOf } from './alarms.ts';
import { readWork, type Work } from './work.ts';

export type StandingDeps = Pick<
  AdminDeps,
  'db' | 'clock' | 'limiterReady' | 'auditBacklog' | 'failingExports'
>;

export interface Standing {
  work: Work;
  alarms: Alarm[];
  /** The last check of the books; null before the first. */
  latest: Awaited<ReturnType<typeof readBooksOverview>>['latest'];
}

export async function readStanding(deps: StandingDeps): Promise<Standing> {
  const { db, clock } = deps;
  const [
    work,
    books,
    providers,
    currencies,
    rates,
    unclear,
    audit,
    off_clocks,
    receivers,
    exports,
    limiter_ready,
  ] = await Promise.all([
    readWork(deps),
    readBooksOverview(db),
    selectStandingReconciliations(db),
    selectCurrencies(db),
    selectRates(db),
    readUnclearChannels(db, clock.now()),
    deps.auditBacklog(),
    readOffClocks(deps),
    totalFailingReceivers(deps),
    deps.failingExports(),
    deps.limiterReady().then(
      () => true,
      () => false,
    ),
  ]);
  const alarms = alarmsOf({
    ...{ work, books: books.standing, providers, limiter_ready, off_clocks },
    ...{ audit, currencies, rates, unclear, receivers },
    exports: { due: exports.length, oldest_at: exports[0]?.failing_since ?? null },
  });
  return { work, alarms, latest: books.latest };
}
