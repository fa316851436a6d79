import type { FastifyInstance } from 'fastify';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import { createPlatformFigures } from '../../collection/figures/index.ts';
import { selectCurrencies, selectRates } from '../../currencies/index.ts';
import { readUnclearChannels } from '../../payments/backlog/index.ts';
import { selectLatestReconciliations } from '../../payments/reconciliation/index.ts';
import { readBooksOverview } from '../../verification/index.ts';
import { recordJson } from '../ledger/verification-json.ts';
import { type Alarm, alarmsOf } from './alarms.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';
import { readWork, workJson } from './work.ts';

type Deps = Pick<AdminDeps, 'db' | 'clock' | 'limiterReady' | 'auditBacklog'>;

/** `GET /work`: the waiting work; `GET /overview`: the figures of the platform and its alarms. */
export function workRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  const readPlatformFigures = createPlatformFigures(deps);

  app.get('/work', async () => workJson(await readWork(deps)));

  app.get<Listing>('/overview', async ({ query }) => {
    const time_zone = readTimeZone(query.time_zone);
    const now = clock.now();
    const [figures, work, books, providers, currencies, rates, unclear, audit, limiter_ready] =
      await Promise.all([
        readPlatformFigures(time_zone),
        readWork(deps),
        readBooksOverview(db),
        selectLatestReconciliations(db),
        selectCurrencies(db),
        selectRates(db),
        readUnclearChannels(db, now),
        deps.auditBacklog(),
        deps.limiterReady().then(
          () => true,
          () => false,
        ),
      ]);
    const alarms = alarmsOf({
      work,
      books: books.standing,
      providers,
      limiter_ready,
      audit,
      currencies,
      rates,
      unclear,
    });
    return {
      as_of: rfc3339(now),
      time_zone,
      ...figures,
      work: workJson(work),
      alarms: alarms.map(alarmJson),
      verification: books.latest === null ? null : recordJson(books.latest),
    };
  });
}

const alarmJson = ({ since, ...rest }: Alarm) => ({ ...rest, since: rfc3339OrNull(since) });
