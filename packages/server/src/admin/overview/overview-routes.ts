import type { FastifyInstance } from 'fastify';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import { createPlatformFigures } from '../../collection/figures/index.ts';
import { recordJson } from '../ledger/verification-json.ts';
import type { Alarm } from './alarms.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';
import { readFirstSteps } from './first-steps.ts';
import { readStanding, type StandingDeps } from './standing.ts';
import { readWork, workJson } from './work.ts';

/** `GET /work`: the waiting work; `GET /first-steps`: what a new platform still needs; `GET /overview`: the figures of the platform and its alarms. */
export function workRoutes(app: FastifyInstance, deps: StandingDeps & Pick<AdminDeps, 'log'>): void {
  const { clock } = deps;
  const readPlatformFigures = createPlatformFigures(deps);

  app.get('/work', async () => workJson(await readWork(deps)));

  app.get('/first-steps', async () => ({ steps: await readFirstSteps(deps) }));

  app.get<Listing>('/overview', async ({ query }) => {
    const time_zone = readTimeZone(query.time_zone);
    const now = clock.now();
    const [{ as_of, figures }, { work, alarms, latest }] = await Promise.all([
      readPlatformFigures(time_zone),
      readStanding(deps),
    ]);
    return {
      as_of: rfc3339(now),
      time_zone,
      figures_as_of: rfc3339(as_of),
      ...figures,
      work: workJson(work),
      alarms: alarms.map(alarmJson),
      verification: latest === null ? null : recordJson(latest),
    };
  });
}

const alarmJson = ({ since, ...rest }: Alarm) => ({ ...rest, since: rfc3339OrNull(since) });
