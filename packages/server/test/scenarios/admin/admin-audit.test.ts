import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAudited, changeAudited } from '../../../src/base/audit/audit.ts';
import { selectAuditEntries } from '../../../src/base/audit/audit.sql.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, type Tx } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { type LiveCache, liveCache } from '../../../src/base/caches/live-cache.ts';
import type { Currency } from '../../../src/currencies/index.ts';
import { createCurrencies } from '../../../src/currencies/read-currencies.ts';
import { setCurrency, setRate } from '../../../src/currencies/set-currency.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { overtaken } from '../../support/servers/lock-waits.ts';

let database: TestDatabase;
let db: Database;
let cache: LiveCache;
const clock = new OffsetClock();
const ids = systemIds();

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url });
  // Ignores notifications, so only its own process can clear its cache in time.
  cache = await liveCache({ ...db, listen: () => Promise.resolve(() => Promise.resolve()) });
});
afterAll(async () => {
  await cache.stop();
  await db.close();
  await database.drop();
});

const currency = (decimals: number) => ({
  code: 'USD',
  decimals,
  enabled: true,
  min_minor: 1n,
  max_minor: 9_007_199_254_740_991n,
});
const act = { actor: 'key', action: 'currency.set' };
const change = (decimals: number, fails = false): Promise<unknown> =>
  changeAudited({ db, clock, ids, cache }, act, async (tx) => {
    const { before, after } = await setCurrency(tx, currency(decimals));
    if (fails) throw new Error('stopped on the way');
    return { target: 'currency:USD', before, after };
  });

test('D-169 when a change is answered, its own process has dropped its cache', async () => {
  const currencies = createCurrencies(db, cache);
  for (const decimals of [0, 1, 2, 3, 4]) {
    await change(decimals);
    expect((await currencies.currency('USD'))?.decimals).toBe(decimals);
  }
});

test('D-194 a write and its entry are stored together or not at all', async () => {
  await change(2);
  const entries = (await selectAuditEntries(db, null, 100)).length;
  await expect(change(3, true)).rejects.toThrow('stopped on the way');
  expect((await selectAuditEntries(db, null, 100)).length).toBe(entries);
  expect((await createCurrencies(db, cache).currency('USD'))?.decimals).toBe(2);
});

test('D-1199 of changes of a currency at the same time, each names the value that it has replaced', async () => {
  await change(0);
  await Promise.all([1, 2, 3, 4].map((decimals) => change(decimals)));
  const entries = (await selectAuditEntries(db, null, 4)).reverse();
  const values = (of: 'before' | 'after') => entries.map((entry) => (entry[of] as Currency).decimals);
  expect(values('before')).toEqual([0, ...values('after').slice(0, -1)]);
});

test('D-1199 of two changes at once that are the first of a currency, or of its rate, the second names what the first has set', async () => {
  const of = (decimals: number) => (tx: Tx) => setCurrency(tx, { ...currency(decimals), code: 'XTS' });
  const second = await overtaken(db, db, of(2), () => db.transaction(of(3)));
  expect(second).toMatchObject({ before: { decimals: 2 }, after: { decimals: 3 } });

  const at = (price_e12: bigint) => (tx: Tx) =>
    setRate(tx, { currency: 'XTT', price_e12, valid_until: null });
  const later = await overtaken(db, db, at(1n), () => db.transaction(at(2n)));
  expect(later).toMatchObject({ before: { price_e12: 1n }, after: { price_e12: 2n } });
});

test('a write that changed nothing is not logged, and amounts beyond 2^53 are logged exactly', async () => {
  const entries = (await selectAuditEntries(db, null, 100)).length;
  expect(await runAudited({ db, clock, ids }, act, () => Promise.resolve(null))).toBeNull();
  expect((await selectAuditEntries(db, null, 100)).length).toBe(entries);

  const after = { amount_ptk: '98765432109876543210', at: new Date(0) };
  await runAudited({ db, clock, ids }, { ...act, reason: 'a test' }, () =>
    Promise.resolve({ target: 'nothing', before: null, after }),
  );
  const [newest] = await selectAuditEntries(db, null, 1);
  expect(newest).toMatchObject({
    actor: 'key',
    target: 'nothing',
    reason: 'a test',
    before: null,
    after: { amount_ptk: '98765432109876543210', at: '1970-01-01T00:00:00.000Z' },
  });
});
