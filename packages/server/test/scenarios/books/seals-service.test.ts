import { mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import {
  busyMerchant,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';

/** Seals as a whole: a running service with its worker, a sink, and the commands of operator and outsider. */

let dir: string;
let service: TestService;
let platform: Platform;
let db: Database;
const printed: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'seals-'));
  service = await startTestService({
    env: { PAYDESK_SEAL_SINK: sink(), PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  platform = await setUpPlatform(service);
  db = openDatabase({ url: service.database.url, max: 2 });
});

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  printed.splice(0);
});

afterAll(async () => {
  await db.close();
  await service.stop();
  await rm(dir, { recursive: true });
});

const sink = (): string => pathToFileURL(join(dir, 'heads.jsonl')).href;

const command = (...args: string[]): Promise<number> =>
  runCommand(args, {
    DATABASE_URL: service.database.url,
    PAYDESK_SECRET_KEY: service.secret_key.toString('base64'),
    PAYDESK_SEAL_SINK: sink(),
    PAYDESK_TEST_CLOCK: '1',
  });

/** Sealing waits for older transactions of the whole server, such as those of other tests. */
const booksVerify = () =>
  eventually(
    () => command('verify-ledger'),
    (code) => code === 0,
  );

const sealedTransfers = () =>
  db.query(sql`SELECT 1 FROM seals s CROSS JOIN LATERAL string_to_table(s.entries, E'\n') AS line
    WHERE substr(line, 46) LIKE 'transfer ["mp_%'`);

test('R-143, D-194, D-1408 what a payment writes is sealed by the worker, published, and verified by command and outsider', async () => {
  const buyer = await signIn(service, platform.buyer);
  const merchant = await busyMerchant(service, platform.merchant_no, 1);
  const order = await merchant.order();
  /** Changes a row past every guard; the second time, it is as it was. */
  const tamper = () =>
    db.transaction(async (tx) => {
      await tx.query(sql`SET LOCAL session_replication_role = replica`);
      await tx.query(sql`UPDATE ledger_transfers SET test_mode = NOT test_mode
        WHERE subject = ${order.order_no} AND leg = 1`);
    });
  await payWithPtk(service, order, buyer);
  await eventually(
    async () => {
      // A pass every twenty seconds of the service's clock. By then it is further from the real one than an unsealed row may be.
      await service.advance(200);
      return (await sealedTransfers()).length;
    },
    (sealed) => sealed > 0,
  );
  await booksVerify();
  const { text } = await service.send('GET', '/metrics');
  const metric = /^paydesk_seal_head_info\{seal_no="\d+",hash="([0-9a-f]{64})"\} 1$/m.exec(text);
  // The worker may have sealed once more: what the metrics name comes into the file after it.
  await eventually(
    () => readFile(join(dir, 'heads.jsonl'), 'utf8'),
    (heads) => heads.includes(metric?.[1] ?? 'no head in the metrics'),
  );
  expect(text).toMatch(/^paydesk_seal_pass_age_seconds \d/m);

  const [file, pem] = [join(dir, 'books.jsonl'), join(dir, 'key.pem')];
  // What a transaction of another test holds back has no seal yet, and is old where the clock has jumped.
  await eventually(
    async () => {
      await service.advance(20);
      expect(await command('export-books', '--out', file, '--public-key-out', pem)).toBe(0);
      return runCommand(['verify-export', file, '--public-key', pem], {});
    },
    (code) => code === 0,
  );

  await tamper();
  printed.splice(0);
  expect(await command('verify-ledger')).toBe(1);
  // What the row should be is known from other records as well.
  expect(printed[0]).toMatch(/^entry_differs: /);
  expect(printed).toContainEqual(
    expect.stringMatching(
      /^sealed_row_changed: in the book of mr_\w+, transfer \["mp_\w+","P2","","1"\] is not what seal \d+ covers: the row was changed after it was sealed$/,
    ),
  );
  const { findings } = await service.admin<{ findings: { kind: string }[] }>('GET', '/ledger/verification');
  const kinds = findings.map(({ kind }) => kind).filter((kind) => kind !== 'fact_unsealed');
  expect(kinds).toEqual(['entry_differs', 'sealed_row_changed']);
  await tamper();
  await booksVerify();
});

test('D-1181 a sink that does not answer delays no seal, and gets the heads later', async () => {
  const failed = async (pass: string): Promise<number> => {
    const { text } = await service.send('GET', '/metrics');
    const count = new RegExp(`^paydesk_passes_total\\{pass="${pass}",outcome="failed"\\} (\\d+)$`, 'm').exec(
      text,
    );
    return Number(count?.[1] ?? Number.NaN);
  };
  const heads = join(dir, 'heads.jsonl');
  await rename(heads, join(dir, 'kept.jsonl'));
  await mkdir(heads);
  const [sealing, publishing] = [await failed('seal'), await failed('seal-heads')];
  const before = (await sealedTransfers()).length;
  const buyer = await signIn(service, platform.buyer);
  const merchant = await busyMerchant(service, platform.merchant_no, 1);
  await payWithPtk(service, await merchant.order(), buyer);
  await eventually(
    async () => {
      await service.advance(20);
      return (await sealedTransfers()).length > before && (await failed('seal-heads')) > publishing + 1;
    },
    (done) => done,
  );
  expect(await failed('seal')).toBe(sealing);

  await rmdir(heads);
  await rename(join(dir, 'kept.jsonl'), heads);
  await eventually(
    async () => {
      await service.advance(20);
      return (await service.send('GET', '/metrics')).text;
    },
    (text) => /^paydesk_seal_sink_waiting 0$/m.test(text),
  );
  await booksVerify();
});
