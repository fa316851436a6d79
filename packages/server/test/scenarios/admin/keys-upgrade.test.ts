import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createCipheriv, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countKeys, openKeyRing, reseal, type ResealReport } from '../../../src/base/keys/index.ts';
import { type Database, migrate, migrationsDir, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { deriveKey, secretBox } from '../../../src/base/secret-box.ts';
import { checkoutToken, isTokenOf } from '../../../src/checkout/link/checkout-token.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { createSigningKeys } from '../../../src/oauth/provider/signing-keys.ts';
import { emptyDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { merchant_id, order_no } from '../../support/desks/samples.ts';

/** A database of a release whose digests and tokens derived from the secret keys themselves. */

const now = new Date('2026-01-02T03:04:05.000Z');
const user_id = '0190c1a0-0000-7000-8000-00000000aaaa';
const keys = { old: randomBytes(32), first: randomBytes(32), later: randomBytes(32) };

let database: TestDatabase;
let db: Database;

beforeEach(async () => {
  database = await emptyDatabase();
  db = openDatabase({ url: database.url, max: 4 });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** Migrates up to the release before, and adds a person. */
async function migrateToOlder(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  const older = (await readdir(migrationsDir)).filter((name) => name < '0029');
  for (const name of older) await cp(join(migrationsDir, name), join(dir, name));
  await migrate(database.url, { dir });
  await rm(dir, { recursive: true });
  await db.query(sql`INSERT INTO users (user_id, email, email_key, name, role, password_hash, created_at)
    VALUES (${user_id}, 'a@b.test', 'a@b.test', 'A', 'user', '', ${now})`);
}

/** Seals as releases did that bound no value to its row. */
function sealUnbound(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'seal'), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const head = Buffer.concat([Buffer.of(1), Buffer.from(secretBox([key]).key_id, 'hex')]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
}

test('R-383 R-033 what an older release made outlives its secret keys', async () => {
  await migrateToOlder();
  // An older release made these under its keys.
  const older = secretBox([keys.first, keys.old]);
  const [digest, oldest] = [
    older.digest('client-secret', 'x'),
    secretBox([keys.old]).digest('catalog-code', 'c'),
  ];
  const order = { merchant_id, order_no, token_key_id: secretBox([keys.old]).key_id };
  const token = checkoutToken(older, order);
  const row = sealed.totpSecret.row({ user_id });
  await db.query(sql`INSERT INTO totp_factors (user_id, secret_box, last_step)
    VALUES (${user_id}, ${sealUnbound(keys.old, 'totp')}, 0)`);
  await migrate(database.url);

  const upgraded = await openKeyRing(db, [keys.first, keys.old], now);
  const rotated = await openKeyRing(db, [keys.later, keys.first, keys.old], now);
  await reseal(db, rotated, ({ failures }) => {
    expect(failures).toEqual([]);
  });
  const alone = await openKeyRing(db, [keys.later], now);
  for (const box of [upgraded, rotated, alone]) {
    expect(box.matches('client-secret', 'x', digest)).toBe(true);
    expect(box.digests('catalog-code', 'c').some((one) => one.equals(oldest))).toBe(true);
    expect(box.digest('client-secret', 'x').equals(digest)).toBe(false);
    expect(isTokenOf(box, token, order)).toBe(true);
  }
  const [factor] = await db.query<{ secret_box: Buffer }>(sql`SELECT secret_box FROM totp_factors`);
  const secret_box = factor?.secret_box ?? Buffer.alloc(0);
  expect(alone.open(secret_box, row)).toBe('totp');
  expect(() => alone.open(secret_box, sealed.totpSecret.row({ user_id: merchant_id }))).toThrow(
    /does not open/,
  );
});

test('R-383 a value that does not open is named and passed over, in batches of any size', async () => {
  await migrate(database.url);
  const box = await openKeyRing(db, [keys.first], now);
  const people = [1, 2, 3, 4, 5, 6, 7].map((n) => `0190c1a0-0000-7000-8000-00000000000${n}`);
  for (const [i, person] of people.entries()) {
    // The second and third are bound to other rows.
    const owner = i === 1 || i === 2 ? merchant_id : person;
    const value = box.seal('totp', sealed.totpSecret.row({ user_id: owner }));
    await db.query(
      sql`INSERT INTO totp_factors (user_id, secret_box, last_step) VALUES (${person}, ${value}, 0)`,
    );
  }
  const rotated = await openKeyRing(db, [keys.later, keys.first], now);
  const reports: string[] = [];
  const told = ({ place, resealed, failures }: ResealReport): void => {
    reports.push([place, resealed, ...failures].join(' '));
  };
  await reseal(db, rotated, told, 2);
  const why = (n: number): string =>
    `a value sealed with key ${box.key_id} does not open in totp_factors.secret_box/${people[n] ?? ''}`;
  expect(reports).toEqual([
    'inner_keys.key_box 1',
    `totp_factors.secret_box 5 ${why(1)} ${why(2)}`,
    'key_ring.canary_box 1',
  ]);
  const left = (await countKeys(db)).filter(({ key_id }) => key_id === box.key_id);
  expect(left).toEqual([{ key_id: box.key_id, does: 'seals', place: 'totp_factors.secret_box', values: 2 }]);
});

test('R-383 the signing key of the older release stays published, and signs no more', async () => {
  await migrateToOlder();
  await migrate(database.url);
  const box = await openKeyRing(db, [keys.first, keys.old], now);
  const signing = createSigningKeys({ db, clock: new OffsetClock(), box });
  const { kid } = await signing.current();
  const kids = (await signing.published()).keys.map((key) => key.kid);
  expect(kids).toHaveLength(3);
  expect(kids[0]).toBe(kid);
});

test('R-383 on a fresh database nothing derives from a secret key', async () => {
  await migrate(database.url);
  const box = await openKeyRing(db, [keys.first, keys.old], now);
  expect(box.matches('client-secret', 'x', secretBox([keys.first]).digest('client-secret', 'x'))).toBe(false);
  expect(box.olderIds('checkout')).toEqual([]);
  expect(await db.query(sql`SELECT has_older FROM key_ring`)).toEqual([{ has_older: false }]);
});
