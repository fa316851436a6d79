import { SettingsChange } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { runAudited } from '../../base/audit/index.ts';
import { reader } from '../../base/input/decode.ts';
import { changeSettings, readSettings, type Settings } from '../../base/settings/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf } from '../request/request.ts';

const readChange = reader(SettingsChange);

/** `GET` and `PUT /settings`: the settings of the whole platform. A member that is not sent stays as it is. */
export function settingsRoutes(app: FastifyInstance, deps: Pick<AdminDeps, 'db' | 'clock' | 'ids'>): void {
  app.get('/settings', () => readSettings(deps.db));

  app.put('/settings', async (request) => {
    const change = valuesOf(readChange(request.body));
    const act = { actor: actorOf(request), action: 'platform-settings.change' };
    const done = await runAudited(deps, act, async (tx) => {
      const { before, after } = await changeSettings(tx, change);
      return Object.keys(change).length === 0 ? null : { target: 'platform-settings', before, after };
    });
    return done?.after ?? readSettings(deps.db);
  });
}

/** The values in the one spelling in which they are stored. */
const valuesOf = ({ four_eyes_ptk, ...rest }: SettingsChange): Partial<Settings> => ({
  ...rest,
  ...(four_eyes_ptk === undefined ? {} : { four_eyes_ptk: BigInt(four_eyes_ptk).toString() }),
});
