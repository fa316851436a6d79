import type { FastifyInstance } from 'fastify';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import { createPlatformFigures } from '../../collection/figures/index.ts';
import { selectCurrencies, selectRates } from '../../currencies/index.ts';
import { selectLastVerification } from '../../ledger/verification/index.ts';
import { readUnclearChannels } from '../../payments/backlog/index.ts';
import { type Alarm, alarmsOf } from './alarms.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';
import { readWork, workJson } from './work.ts';

type Deps = Pick<AdminDeps, 'db' | 'clock' | 'limiterReady'>;

/** `GET /work`: the waiting work; `GET /overview`: the figures of the platform and its alarms. */
export function workRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  const readPlatformFigures = createPlatformFigures(deps);

  app.get('/work', async () => workJson(await readWork(deps)));

  app.get<Listing>('/overview', async ({ query }) => {
    const time_zone = readTimeZone(query.time_zone);
    const now = clock.now();
    const [figures, work, verification, currencies, rates, unclear, limiter_ready] = await Promise.all([
      readPlatformFigures(time_zone),
      readWork(deps),
      selectLastVerification(db),
      selectCurrencies(db),
      selectRates(db),
      readUnclearChannels(db, now),
      deps.limiterReady().then(
        () => true,
        () => false,
      ),
    ]);
    const alarms = alarmsOf({ work, verification, limiter_ready, currencies, rates, unclear });
    return {
      as_of: rfc3339(now),
      time_zone,
      ...figures,
      work: workJson(work),
      alarms: alarms.map(alarmJson),
      verification:
        verification === null
          ? null
          : {
              verified_at: rfc3339(verification.verified_at),
              verified_by: verification.verified_by,
              ok: verification.ok,
              entries: Number(verification.entries),
              findings: verification.findings,
            },
    };
  });
}

const alarmJson = ({ since, ...rest }: Alarm) => ({ ...rest, since: rfc3339OrNull(since) });
