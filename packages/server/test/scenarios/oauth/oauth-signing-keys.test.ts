import { createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/base/pg/index.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { days } from '../../../src/base/time/clock.ts';
import { createSigningKeys } from '../../../src/oauth/provider/signing-keys.ts';
import { freshDatabase } from '../../support/servers/database.ts';
import { addClient, addMerchant, addUser } from '../../support/desks/platform.ts';
import { t0 } from '../../support/desks/samples.ts';
import { movedClock } from '../../support/books/sealed-books.ts';
import { eventually, request, startTestService, type TestService } from '../../support/desks/service.ts';
import { type Authorizer, authorizerOf } from '../../support/people/user-token.ts';

/** The key that signs ID tokens is replaced every 90 days, by one of several processes. */

type Key = JsonWebKey & { kid: string };

const redirect_uri = 'https://shop.example/back';
let service: TestService;
let others: { url: string; stop(): Promise<void> }[];
let authorizer: Authorizer;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  others = await Promise.all([service.another(), service.another()]);
  const owner = await addUser(service, 'Olga Owner');
  const { merchant_no } = await addMerchant(service, owner);
  const client = await addClient(service, merchant_no, { scopes: ['openid'], redirect_uris: [redirect_uri] });
  authorizer = await authorizerOf(service, owner, client, redirect_uri);
});
afterAll(() => service.stop());

/** What each process publishes, asked at once. */
const published = (): Promise<Key[][]> =>
  Promise.all(
    [service, ...others].map(
      async ({ url }) => (await request<{ keys: Key[] }>(`${url}/oauth/jwks`, 'GET')).body.keys,
    ),
  );
const kidsOf = (keys: readonly Key[]): string[] => keys.map(({ kid }) => kid);

/** The time of another process follows within a second. */
async function advanceDays(n: number): Promise<void> {
  await service.advance(days(n) / 1_000);
}

/** The key among these that signed this ID token; null if none did. */
function signerOf(id_token: string, keys: readonly Key[]): string | null {
  const [head = '', claims = '', signature = ''] = id_token.split('.');
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as { kid: string };
  const key = keys.find((one) => one.kid === kid);
  if (key === undefined) return null;
  const publicKey = createPublicKey({ key, format: 'jwk' });
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isRight ? kid : null;
}

const idToken = async (): Promise<string> => (await authorizer.tokens('openid')).id_token ?? '';

test('R-383 the first key is made once, stays 89 days, and signs what every process can verify', async () => {
  const [one = [], ...same] = await published();
  expect(one).toHaveLength(1);
  expect(same.map(kidsOf)).toEqual([kidsOf(one), kidsOf(one)]);
  expect(JSON.stringify(one)).not.toContain('"d"');
  await advanceDays(89);
  expect(kidsOf((await published())[0] ?? [])).toEqual(kidsOf(one));
  expect(signerOf(await idToken(), same[0] ?? [])).toBe(one[0]?.kid);
});

test('R-383 after 90 days a new key signs, and the old one stays published for 7 days', async () => {
  const [old] = (await published())[0] ?? [];
  const before = await idToken();
  await advanceDays(1);
  const lists = await eventually(published, (all) => all.every((keys) => keys.length === 2));
  const [kids = [], ...same] = lists.map(kidsOf);
  expect(same).toEqual([kids, kids]);
  expect(kids[1]).toBe(old?.kid);
  const after = await idToken();
  expect(signerOf(before, lists[1] ?? [])).toBe(old?.kid);
  expect(signerOf(after, lists[1] ?? [])).toBe(kids[0]);

  await advanceDays(6.9);
  expect(kidsOf((await published())[0] ?? [])).toEqual(kids);
  await advanceDays(0.2);
  await eventually(published, (all) => all.every((keys) => keys.length === 1));
  expect(signerOf(await idToken(), (await published())[2] ?? [])).toBe(kids[0]);
});

test('R-383 a process that saw the old key and comes second replaces nothing', async () => {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.service_url, max: 4 });
  const clock = movedClock(t0);
  const box = secretBox([randomBytes(32)]);
  const first = createSigningKeys({ db, clock, box });
  // Between its look at the key and its transaction, the other process replaces the key.
  const transaction: Database['transaction'] = async (work, options) => {
    await first.current();
    return db.transaction(work, options);
  };
  const slow = Object.create(db, { transaction: { value: transaction } }) as Database;
  const second = createSigningKeys({ db: slow, clock, box });
  await first.current();
  clock.advance(days(90));
  const key = await second.current();
  expect(key.kid).toBe((await first.current()).kid);
  expect((await first.published()).keys).toHaveLength(2);
  await db.close();
  await database.drop();
});
