import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '../../../src/base/pg/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { type DatabasePair, openDatabasePair, urlOf, urlOfBoth } from '../../chaos/database-pair.ts';
import {
  busyMerchant,
  payWithPtk,
  validOrder,
  type Merchant,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { eventually, request, startTestService, type TestService } from '../../support/desks/service.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { memoryDirectory, type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';

/** The primary database dies and its synchronous standby is promoted. Every process finds it by itself (H-25). */

let home: TemporaryDirectory;
let pair: DatabasePair;
let service: TestService;
let platform: Platform;
let merchant: Merchant;

beforeAll(async () => {
  home = await temporaryDirectory('failover', await memoryDirectory());
  pair = await openDatabasePair([join(home.path, 'a'), join(home.path, 'b')]);
  const url = urlOfBoth(pair.nodes.map(({ port }) => port));
  await migrate(url);
  service = await startTestService({
    env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
    database: { url, service_url: url, drop: () => pair.stop() },
  });
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 2);
});

afterAll(async () => {
  await service.stop();
  await home.remove();
});

test('H-25 every process finds the promoted standby, with all that was acknowledged', async () => {
  const other = await service.another();
  const cookie = await signIn(service, platform.buyer);
  const pay = async (): Promise<string> => {
    const order = await merchant.order();
    await payWithPtk(service, order, cookie);
    return order.order_no;
  };
  const before = await pay();

  await pair.kill(pair.primary());
  const refused = await merchant.read(before);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  await pair.promote();
  await eventually(
    () => Promise.all([service.url, other.url].map((url) => request(`${url}/readyz`, 'GET'))),
    (answers) => answers.every(({ status }) => status === 200),
  );

  expect((await merchant.read(before)).body).toMatchObject({ status: 'paid', status_version: 2 });
  expect((await merchant.read(await pay())).body).toMatchObject({ status: 'paid' });
  // One process still hears at once what another has changed.
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, {
    status: 'inactive',
    reason: 'closed',
  });
  const order = await request(`${other.url}/openapi/v1/merchant-payments`, 'POST', {
    body: validOrder(),
    headers: { authorization: `Bearer ${merchant.token}` },
  });
  expect([order.status, order.body.error]).toEqual([403, 'merchant_inactive']);
});

test('D-1359 D-1391 the doctor and a figure tell of commits that wait for a standby, while every process is ready', async () => {
  const url = urlOf(pair.primary().port);
  const set = async (name: string): Promise<void> => {
    await askDatabase(url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await askDatabase(url, 'SELECT pg_reload_conf()');
  };
  await set('nobody');
  const waiting = askDatabase(url, 'CREATE TABLE waits ()');
  const said: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
  const env = { PAYDESK_SECRET_KEY: randomBytes(32).toString('base64'), PAYDESK_PUBLIC_URL: service.url };
  await eventually(
    () => runCommand(['doctor'], { ...env, DATABASE_URL: url }),
    () => said.some((line) => /^fail +standby +Commits wait for it \(\d+\): no standby/.test(line)),
  );
  expect((await request(`${service.url}/readyz`, 'GET')).status).toBe(200);
  await eventually(
    () => request(`${service.url}/metrics`, 'GET'),
    ({ text }) => /^paydesk_db_commits_waiting [1-9]/m.test(text),
  );
  await set('');
  await waiting;
});
