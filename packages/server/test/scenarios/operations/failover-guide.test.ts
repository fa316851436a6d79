import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/base/pg/index.ts';
import { killServer } from '../../chaos/database-pair.ts';
import {
  busyMerchant,
  type Merchant,
  onePtk,
  payWithPtk,
  setUpPlatform,
  signIn,
  topUp,
} from '../../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';
import { blocksOf, inlineCodeOf, readPage } from '../../support/rules/guide.ts';
import { commandOn } from '../../support/run/run-command.ts';
import { memoryDirectory, type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { type GuideMachine, openGuideMachine } from '../../support/servers/guide-machine.ts';

/** The guide of the failover, as it stands, on three servers, while payments go on. */

const page = readPage('docs/operating/failover.md');
const blocks = blocksOf(page);

const data = '/var/lib/postgresql/data';

type Name = 'db1' | 'db2' | 'db3';
const names: readonly Name[] = ['db1', 'db2', 'db3'];

let home: TemporaryDirectory;
let machines: Record<Name, GuideMachine>;
let service: TestService;
let merchant: Merchant;
let primary: Name;
/** What a buyer does meanwhile, and which orders were confirmed as paid. */
const payments = { go: true, paid: [] as string[], end: Promise.resolve() };

const urlOf = (name: Name, database = 'postgres'): string =>
  `postgresql://postgres@127.0.0.1:${machines[name].port}/${database}`;

function guideHas(words: string): string {
  const block = blocks.find(({ text }) => text.includes(words));
  if (block === undefined) throw new Error(`the guide has no block with ${words}`);
  return block.text;
}

/** Follows a block on a machine. The guide tells of a switch from db1 to db2: `as` has others in their places. */
async function follow(on: Name, words: string, as: readonly Name[] = names): Promise<string> {
  const [former, next, other] = as as [Name, Name, Name];
  const text = guideHas(words)
    .replaceAll(/\bdb[123]\b/g, (name) => as[names.indexOf(name as Name)] ?? name)
    .replaceAll(/host=(db[123])/g, (_, name: Name) => `host=127.0.0.1 port=${machines[name].port}`);
  return machines[on].shell(text, {
    ADMIN_URL: urlOf(former),
    STANDBY_URL: urlOf(on),
    DB2_URL: urlOf(next),
    DB3_URL: urlOf(other),
    SERVER_URL: urlOf(on),
  });
}

interface Follower {
  application_name: string;
  state: string;
  sync_state: string;
}

/** Looks at the primary as the guide says, until this is so for each of these standbys. */
const untilFollowed = (
  primary: Name,
  standbys: readonly Name[],
  is: (follower: Follower) => boolean,
): Promise<unknown> =>
  eventually(
    () =>
      askDatabase<Follower & Record<string, unknown>>(urlOf(primary), guideHas('FROM pg_stat_replication')),
    (rows) => standbys.every((name) => rows.some((row) => row.application_name === name && is(row))),
  );

beforeAll(async () => {
  home = await temporaryDirectory('failover-guide', await memoryDirectory());
  const [db1, db2, db3] = await Promise.all(names.map((name) => openGuideMachine(home.path, name)));
  machines = { db1, db2, db3 } as Record<Name, GuideMachine>;
});
afterAll(async () => {
  payments.go = false;
  await payments.end;
  try {
    await service.stop();
  } finally {
    for (const name of names) await machines[name].shell(`pg_ctl --pgdata=${data} -m immediate stop || true`);
    await home.remove();
  }
});

/** Lets commits wait again when the first standby follows, and looks whether they do. */
async function letCommitsWait(primary: Name, standbys: readonly Name[]): Promise<void> {
  await untilFollowed(primary, standbys, ({ state }) => state === 'streaming');
  for (const name of names) await follow(name, 'RESET synchronous_standby_names');
  await untilFollowed(primary, standbys, ({ sync_state }) => sync_state === 'quorum');
}

/** Pays one order after the other, whatever the answers are. */
async function keepPaying(cookie: string): Promise<void> {
  while (payments.go) {
    const order_no = await pay(cookie).catch(() => null);
    if (order_no !== null) payments.paid.push(order_no);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function pay(cookie: string): Promise<string> {
  const order = await merchant.order();
  await payWithPtk(service, order, cookie);
  return order.order_no;
}

async function untilMorePaid(): Promise<void> {
  const before = payments.paid.length;
  await eventually(
    () => Promise.resolve(payments.paid.length),
    (now) => now >= before + 3,
  );
}

test('D-1390 the guide makes two standbys, and commits wait for one of them', async () => {
  for (const name of names) await machines[name].shell('mkdir -p /var/lib/postgresql');
  await machines.db1.shell(`initdb --pgdata=${data} --username=postgres --auth=trust --data-checksums`);
  const trusts = ['replication replicator', 'postgres replicator'].map(
    (who) => `host ${who} 127.0.0.1/32 scram-sha-256\n`,
  );
  await machines.db1.shell(`cat > ${data}/pg_hba.conf <<'RULES'
${trusts.join('')}host all postgres 127.0.0.1/32 trust
RULES
    cat >> ${data}/postgresql.conf <<'CONF'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
wal_retrieve_retry_interval = 200ms
${guideHas('synchronous_standby_names = ')}
CONF
    pg_ctl --pgdata=${data} --log=/var/lib/postgresql/first.log start`);
  await follow('db1', 'CREATE ROLE replicator');
  for (const name of ['db2', 'db3'] as const) await follow(name, 'pg_basebackup', ['db1', name, 'db3']);
  await letCommitsWait('db1', ['db2', 'db3']);
});

test('D-1390 payments begin', async () => {
  await askDatabase(urlOf('db1'), 'CREATE DATABASE paydesk');
  const url = urlOf('db1', 'paydesk').replace(
    /@[^/]*/,
    `@${names.map((name) => `127.0.0.1:${machines[name].port}`).join(',')}`,
  );
  const address = `${url}?target_session_attrs=read-write`;
  await migrate(address);
  service = await startTestService({
    env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
    database: { url: address, service_url: address, drop: () => Promise.resolve() },
  });
  const platform = await setUpPlatform(service);
  await topUp(service, platform.buyer, 1_000_000n * onePtk);
  merchant = await busyMerchant(service, platform.merchant_no);
  payments.end = keepPaying(await signIn(service, platform.buyer));
  await untilMorePaid();
});

/** Ends the primary, promotes the standby that has most, and gives it the other two servers as its standbys. */
async function switchFrom(former: Name, end: () => Promise<unknown>): Promise<Name> {
  await untilMorePaid();
  await end();
  const standbys = names.filter((name) => name !== former);
  const has = new Map<Name, bigint>();
  for (const name of standbys) has.set(name, bytesOf(await follow(name, 'greatest(')));
  const [next, other] = standbys.sort((a, b) => Number((has.get(b) ?? 0n) - (has.get(a) ?? 0n)));
  if (next === undefined || other === undefined) throw new Error('There are two standbys.');
  const as = [former, next, other];
  await follow(next, 'pg_promote', as);
  await untilMorePaid();
  expect(await follow(next, `'SyncRep'`)).toBe('0');
  await follow(other, 'primary_conninfo', as);
  await follow(former, 'pg_rewind', as);
  await letCommitsWait(next, [former, other]);
  await untilMorePaid();
  return next;
}

/** A place in the log, such as 0/3000148. */
function bytesOf(place: string): bigint {
  const [high = '', low = ''] = place.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** There is one primary, nothing confirmed is lost, and neither the doctor nor the books have anything to say. */
async function expectAllWell(): Promise<void> {
  const all = await Promise.all(
    names.map((name) =>
      askDatabase<{ standby: boolean }>(urlOf(name), 'SELECT pg_is_in_recovery() AS standby'),
    ),
  );
  expect(all.flat().filter(({ standby }) => !standby)).toHaveLength(1);
  const orders = await Promise.all(payments.paid.map((order_no) => merchant.read(order_no)));
  expect(orders.filter(({ body }) => body.status !== 'paid')).toEqual([]);
  expect((await commandOn(service, 'doctor')).out).not.toMatch(/^fail +(?:database|standby)/m);
  expect(await commandOn(service, 'verify-ledger')).toMatchObject({ code: 0 });
}

test('D-1390 the primary is lost: a standby takes over, the former primary follows it, and again', async () => {
  // A machine that lost its power has no process with this number, but a container may keep what has ended.
  const kill = async (name: Name): Promise<void> => {
    await killServer(Number(await machines[name].shell(`head -1 ${data}/postmaster.pid`)));
    await machines[name].shell(`rm ${data}/postmaster.pid`);
  };
  const second = await switchFrom('db1', () => kill('db1'));
  await expectAllWell();
  primary = await switchFrom(second, () => kill(second));
  await expectAllWell();
});

test('D-1390 a planned switch', async () => {
  const stop = inlineCodeOf(page).find((code) => code.startsWith('pg_ctl stop'));
  await switchFrom(primary, () => machines[primary].shell(`${stop} --pgdata=${data}`));
  await expectAllWell();
});
