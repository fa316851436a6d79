import { expect, onTestFinished, test } from 'vitest';
import { systemIds } from '../../../src/base/ids.ts';
import { openKeyRing } from '../../../src/base/keys/index.ts';
import { createLog } from '../../../src/base/log.ts';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { loadDemoState } from '../../../src/demo/demo-state.ts';
import { seedDemo } from '../../../src/demo/seed.ts';
import { saveDefaults } from '../../../src/notifications/settings/defaults.ts';
import { temporaryDirectory } from '../../support/run/temporary.ts';
import { freshDatabase } from '../../support/servers/database.ts';

test('D-1418 D-1353 a later start of the demo moves its addresses, and leaves notifications switched off, and an endpoint of a person', async () => {
  const [database, folder] = await Promise.all([freshDatabase(), temporaryDirectory('demo')]);
  const db = openDatabase({ url: database.url, max: 1 });
  onTestFinished(async () => {
    await db.close();
    await database.drop();
    await folder.remove();
  });
  const demo = await loadDemoState(folder.path, systemIds(), new OffsetClock().now());
  const start = (port: number) =>
    seedDemo({
      ...{ database_url: database.url, demo, cardsim_url: `http://127.0.0.1:${port}` },
      secret_keys: [Buffer.from(demo.secret_key, 'base64')],
      receiver_url: `https://127.0.0.1:${port + 1}/`,
    });
  const shown = async () =>
    (
      await db.query(
        sql`SELECT notify_url, notify_enabled, api_base FROM merchants, channels WHERE provider <> 'ptk'`,
      )
    )[0];
  await start(7001);
  expect(await shown()).toEqual({
    ...{ notify_url: 'https://127.0.0.1:7002/', notify_enabled: true, api_base: 'http://127.0.0.1:7001' },
  });
  await db.query(sql`UPDATE merchants SET notify_enabled = false`);
  await start(7003);
  expect(await shown()).toEqual({
    ...{ notify_url: 'https://127.0.0.1:7004/', notify_enabled: false, api_base: 'http://127.0.0.1:7003' },
  });
  // D-1353: as `paydesk listen` is set up. The address has a secret of its own, which is shown once.
  const ids = systemIds();
  const box = await openKeyRing(db, [Buffer.from(demo.secret_key, 'base64')], new OffsetClock().real());
  const log = createLog('silent');
  const own = { url: 'https://127.0.0.1:8443/paydesk-notifications', enabled: true };
  await db.transaction((tx) => saveDefaults(tx, { ids, box, log }, demo.ids.merchant_id, own));
  await start(7005);
  expect(await shown()).toEqual({
    ...{ notify_url: own.url, notify_enabled: true, api_base: 'http://127.0.0.1:7005' },
  });
});
