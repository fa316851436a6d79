import { ChannelAnswer, PageOf } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import {
  addMerchant,
  addUser,
  free,
  type Merchant,
  merchantOf,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
});
afterAll(() => service.stop());

const send = <T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
  service.send<T>(method, `/admin/v1${path}`, {
    headers: { authorization: 'Bearer test-administration-key' },
    ...(body === undefined ? {} : { body }),
  });
const auditLog = async (): Promise<Json[]> =>
  (await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=100')).items;
const directory = async (): Promise<unknown[]> => {
  const { body } = await merchant.get<{ items: Json[] }>('/merchant-payment-channels');
  return body.items.map(({ payment_no }) => payment_no);
};

const secrets = { secret_key: 'sk_live_very-secret', webhook_secret: 'whsec_very-secret' };
const card = (members: Json = {}): Json => ({
  owner: 'platform',
  provider: 'cardprov',
  name: 'Card',
  currency: 'USD',
  fees: [{ currency: 'USD', ...free }],
  config: secrets,
  ...members,
});
const create = async (members: Json = {}): Promise<{ payment_no: string } & Json> => {
  const created = await send<{ payment_no: string } & Json>('POST', '/channels', card(members));
  expect(created.status).toBe(201);
  return created.body;
};

async function stored(payment_no: string): Promise<Json> {
  const db = openDatabase({ url: service.database.url, max: 1 });
  try {
    const [row] = await db.query(sql`SELECT * FROM channels WHERE payment_no = ${payment_no}`);
    return row ?? {};
  } finally {
    await db.close();
  }
}

describe('POST /channels', () => {
  test('creation answers with a number and a webhook address, and fills in omitted members', async () => {
    const created = await create({
      fees: [
        {
          currency: 'USD',
          buyer: { fixed_minor: 30, percent_ppm: 29_000 },
          merchant: { fixed_minor: '10', percent_ppm: 0, cap_minor: '12345678901234567890' },
        },
        { currency: 'JPY', ...free },
      ],
    });
    expect(Check(ChannelAnswer, created)).toBe(true);
    expect(created.payment_no).toMatch(/^ch_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(created.webhook_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks\/cardprov\/[\w-]{32}$/);
    expect(created).toMatchObject({
      owner: 'platform',
      merchant_no: null,
      test_mode: false,
      enabled: true,
      login_required: false,
      supported_currencies: ['USD', 'JPY'],
      fees: [
        {
          currency: 'USD',
          buyer: { fixed_minor: '30', percent_ppm: 29_000, cap_minor: null },
          merchant: { fixed_minor: '10', percent_ppm: 0, cap_minor: '12345678901234567890' },
        },
        { currency: 'JPY' },
      ],
      config: {
        api_base: 'https://api.stripe.com',
        live_key: true,
        secret_key_set: true,
        webhook_secret_set: true,
        previous_webhook_secret_valid_until: null,
      },
    });
  });

  test('R-383 keys are sealed, and no answer and no audit entry shows them or the webhook address', async () => {
    const created = await create();
    const row = await stored(created.payment_no);
    expect(row.secret_key_box).toBeInstanceOf(Buffer);
    expect((row.secret_key_box as Buffer).includes('very-secret')).toBe(false);
    expect((row.webhook_secret_box as Buffer).includes('very-secret')).toBe(false);
    await send('PATCH', `/channels/${created.payment_no}`, { config: secrets });
    await send('POST', `/channels/${created.payment_no}/webhook-secret-rotation`, {
      webhook_secret: 'whsec_another-very-secret',
    });
    const logged = JSON.stringify(await auditLog());
    expect(logged).toContain(created.payment_no);
    expect(logged).not.toContain('very-secret');
    expect(logged).not.toContain(row.webhook_key);
    expect((await send('GET', '/channels?limit=100')).text).not.toContain('very-secret');
  });

  test('the PTK channel has no account and no webhooks', async () => {
    const { body, status } = await send('POST', '/channels', {
      owner: 'platform',
      provider: 'ptk',
      name: 'Wallet',
      currency: 'PTK',
      fees: [{ currency: 'PTK', ...free }],
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('config');
    expect(body).not.toHaveProperty('webhook_url');
    const path = `/channels/${String(body.payment_no)}`;
    expect((await send('PATCH', path, { config: secrets })).body.field).toBe('config');
    const rotation = await send('POST', `${path}/webhook-secret-rotation`, { webhook_secret: 'whsec_x' });
    expect([rotation.status, rotation.body.field]).toEqual([400, 'webhook_secret']);
  });

  test.each([
    [{ secret_key: 'sk_test_1' }, false],
    [{ secret_key: 'rk_test_1' }, false],
    [{ secret_key: 'rk_live_1' }, true],
    [{ secret_key: 'sk_live_1' }, true],
    [{}, false],
  ])('R-227 a key moves real money unless it is a test key: %j', async (config, live_key) => {
    expect(await create({ config })).toMatchObject({ config: { live_key } });
  });

  const rule = { fixed_minor: 0, percent_ppm: 0 };
  test.each([
    [{ owner: 'merchant' }, 'merchant_no'],
    [{ owner: 'nobody' }, 'owner'],
    [{ merchant_no: 'mr_00000000000000000000000001' }, 'merchant_no'],
    [{ provider: 'cash' }, 'provider'],
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ names: { de: '' } }, 'names.de'],
    [{ names: { tlh: 'Card' } }, 'names.tlh'],
    [{ config: { payment_method_types: ['cheque'] } }, 'config.payment_method_types.0'],
    [{ config: { payment_method_types: ['card', 'card'] } }, 'config.payment_method_types'],
    [{ config: { payment_method_types: ['ideal'] } }, 'config.payment_method_types'],
    [{ currency: 'usd' }, 'currency'],
    [{ test_mode: 'no' }, 'test_mode'],
    [{ enabled: 1 }, 'enabled'],
    [{ supported_currencies: ['USD', 5] }, 'supported_currencies.1'],
    [{ supported_currencies: ['PTK'] }, 'supported_currencies'],
    [{ fees: {} }, 'fees'],
    [{ fees: [{ currency: 'USD', buyer: rule }] }, 'fees.0.merchant'],
    [
      {
        fees: [
          { currency: 'USD', ...free },
          { currency: 'USD', ...free },
        ],
      },
      'fees.1.currency',
    ],
    [
      { fees: [{ currency: 'USD', buyer: rule, merchant: { ...rule, fixed_minor: -1 } }] },
      'fees.0.merchant.fixed_minor',
    ],
    [
      { fees: [{ currency: 'USD', buyer: { ...rule, fixed_minor: '0.5' }, merchant: rule }] },
      'fees.0.buyer.fixed_minor',
    ],
    [
      { fees: [{ currency: 'USD', buyer: { ...rule, percent_ppm: 1_000_001 }, merchant: rule }] },
      'fees.0.buyer.percent_ppm',
    ],
    [
      { fees: [{ currency: 'USD', buyer: { ...rule, percent_ppm: 2.5 }, merchant: rule }] },
      'fees.0.buyer.percent_ppm',
    ],
    [
      { fees: [{ currency: 'USD', buyer: { ...rule, cap_minor: 'x' }, merchant: rule }] },
      'fees.0.buyer.cap_minor',
    ],
    [{ config: 'x' }, 'config'],
    [{ config: { secret_key: 'sk with spaces' } }, 'config.secret_key'],
    [{ config: { webhook_secret: '' } }, 'config.webhook_secret'],
    [{ config: { api_base: 'ftp://127.0.0.1' } }, 'config.api_base'],
    [{ config: { api_base: 'http://cards.example' } }, 'config.api_base'],
    [{ config: { api_base: 'http://127.0.0.1.evil.example' } }, 'config.api_base'],
    [{ config: { api_base: 'https://user@cards.example' } }, 'config.api_base'],
    [{ config: { api_base: 'https://cards.example/v1' } }, 'config.api_base'],
    [{ config: { api_base: 'https://cards.example/?a' } }, 'config.api_base'],
    [{ provider: 'ptk', currency: 'PTK' }, 'config'],
    [{ provider: 'ptk', currency: 'USD', config: undefined }, 'currency'],
    [{ provider: 'ptk', currency: 'PTK', config: undefined, test_mode: true }, 'test_mode'],
  ])('%j is refused, naming %s', async (wrong, field) => {
    const before = (await auditLog())[0];
    const refused = await send('POST', '/channels', card(wrong));
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect((await auditLog())[0]).toEqual(before);
  });

  test.each([
    ['https://cards.example', 'https://cards.example'],
    ['https://cards.example:8443/', 'https://cards.example:8443'],
    ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
    ['http://localhost:8090', 'http://localhost:8090'],
    ['http://[::1]:8090', 'http://[::1]:8090'],
  ])('the account may be at %s', async (api_base, kept) => {
    expect(await create({ config: { ...secrets, api_base } })).toMatchObject({ config: { api_base: kept } });
  });
});

describe('PATCH /channels/{payment_no}', () => {
  test('D-260, D-264 names and methods: kept by other changes, each replaced as a whole, and audited', async () => {
    const payment_method_types = ['card', 'klarna'];
    const names = { de: 'Karte', 'zh-Hans': '银行卡' };
    const { payment_no } = await create({ names, config: { ...secrets, payment_method_types } });
    const path = `/channels/${payment_no}`;
    const kept = await send('PATCH', path, { login_required: true, config: { secret_key: 'sk_live_2' } });
    expect(kept.body).toMatchObject({ names, config: { payment_method_types } });
    const replaced = await send('PATCH', path, {
      names: { fr: 'Carte' },
      config: { payment_method_types: [] },
    });
    expect(replaced.body).toMatchObject({ names: { fr: 'Carte' }, config: { payment_method_types: [] } });
    expect(Check(ChannelAnswer, replaced.body)).toBe(true);
    expect((await auditLog())[0]).toMatchObject({
      before: { names, config: { payment_method_types } },
      after: { names: { fr: 'Carte' } },
    });
  });

  test('changes only the given members, those of the account one by one', async () => {
    const { payment_no, webhook_url } = await create({
      config: { ...secrets, api_base: 'http://127.0.0.1:1' },
    });
    const before = await stored(payment_no);
    const changed = await send('PATCH', `/channels/${payment_no}`, {
      name: 'Cards',
      login_required: true,
      config: { secret_key: 'sk_test_new' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      payment_no,
      webhook_url,
      name: 'Cards',
      currency: 'USD',
      enabled: true,
      login_required: true,
      config: { api_base: 'http://127.0.0.1:1', live_key: false, webhook_secret_set: true },
    });
    const after = await stored(payment_no);
    expect(after.webhook_secret_box).toEqual(before.webhook_secret_box);
    expect(after.secret_key_box).not.toEqual(before.secret_key_box);
    expect((await auditLog())[0]).toMatchObject({
      action: 'channel.change',
      target: `channel:${payment_no}`,
      before: { name: 'Card', login_required: false },
      after: { name: 'Cards', login_required: true, secrets_set: ['secret_key'] },
    });
  });

  test('takes a key away where it is null; R-157 such a channel leaves the directory', async () => {
    const { payment_no } = await create();
    expect(await directory()).toContain(payment_no);
    const changed = await send('PATCH', `/channels/${payment_no}`, { config: { webhook_secret: null } });
    expect(changed.body).toMatchObject({ config: { webhook_secret_set: false, secret_key_set: true } });
    expect(await directory()).not.toContain(payment_no);
  });

  test('replaces the fees as a whole', async () => {
    const { payment_no } = await create();
    const changed = await send('PATCH', `/channels/${payment_no}`, { fees: [{ currency: 'JPY', ...free }] });
    expect(changed.body).toMatchObject({ supported_currencies: ['USD'], fees: [{ currency: 'JPY' }] });
  });

  test.each([
    [{ owner: 'merchant' }, 'owner'],
    [{ provider: 'ptk' }, 'provider'],
    [{ merchant_no: 'mr_00000000000000000000000001' }, 'merchant_no'],
    [{ name: '' }, 'name'],
    [{ supported_currencies: ['PTK'] }, 'supported_currencies'],
    [
      {
        fees: [
          { currency: 'USD', ...free },
          { currency: 'USD', ...free },
        ],
      },
      'fees.1.currency',
    ],
    [{ config: { api_base: 'http://cards.example' } }, 'config.api_base'],
    [{ config: { api_base: 'https://cards.example' } }, 'config.secret_key'],
    [{ config: { api_base: 'https://cards.example', webhook_secret: 'whsec_new' } }, 'config.secret_key'],
  ])('%j is refused, naming %s', async (wrong, field) => {
    const { payment_no } = await create();
    const before = await stored(payment_no);
    const refused = await send('PATCH', `/channels/${payment_no}`, wrong);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect(await stored(payment_no)).toEqual(before);
  });

  test('unchanged members may be sent again', async () => {
    const { payment_no } = await create();
    const config = { api_base: 'https://api.stripe.com' };
    const same = { owner: 'platform', provider: 'cardprov', merchant_no: null, config };
    expect((await send('PATCH', `/channels/${payment_no}`, same)).status).toBe(200);
  });

  test('D-626 a key goes to another address only if the change has the key, or takes it away', async () => {
    const { payment_no } = await create();
    const move = (config: Json): Promise<Answer> => send('PATCH', `/channels/${payment_no}`, { config });
    expect((await move({ api_base: 'https://cards.example' })).status).toBe(400);
    const moved = await move({ api_base: 'https://cards.example', secret_key: 'sk_live_of-there' });
    expect(moved.body).toMatchObject({ config: { api_base: 'https://cards.example', secret_key_set: true } });
    const bare = await move({ api_base: 'https://other.example', secret_key: null });
    expect(bare.body).toMatchObject({ config: { api_base: 'https://other.example', secret_key_set: false } });
    expect((await move({ api_base: 'https://cards.example' })).status).toBe(200);
  });

  test('R-158 D-169 a channel that is switched off is gone from the answer on', async () => {
    const { payment_no } = await create();
    expect(await directory()).toContain(payment_no);
    await send('PATCH', `/channels/${payment_no}`, { enabled: false });
    expect(await directory()).not.toContain(payment_no);
    await send('PATCH', `/channels/${payment_no}`, { enabled: true });
    expect(await directory()).toContain(payment_no);
  });
});

describe('PUT /channels/{payment_no}/debug-grants', () => {
  test('R-377 both lists are replaced, and count from the answer on', async () => {
    const { payment_no } = await create({ test_mode: true, config: { ...secrets, secret_key: 'sk_test_1' } });
    const path = `/channels/${payment_no}/debug-grants`;
    expect(await directory()).not.toContain(payment_no);
    const { merchant_no, buyer } = platform;
    const granted = await send('PUT', path, {
      merchants: [merchant_no, merchant_no],
      users: [buyer.user_id, buyer.user_id],
    });
    expect(granted.status).toBe(200);
    expect(granted.body.debug_grants).toEqual({ merchants: [merchant_no], users: [buyer.user_id] });
    expect(await directory()).toContain(payment_no);
    expect((await auditLog())[0]).toMatchObject({
      action: 'channel.debug-grants',
      before: { debug_grants: { merchants: [], users: [] } },
      after: { debug_grants: { merchants: [merchant_no], users: [buyer.user_id] } },
    });

    const other = await addMerchant(service, await addUser(service, 'Other Owner'));
    await send('PUT', path, { merchants: [other.merchant_no] });
    expect(await directory()).not.toContain(payment_no);
    expect((await send('PUT', path, {})).body.debug_grants).toEqual({ merchants: [], users: [] });
  });

  test.each([
    [{ merchants: ['mr_00000000000000000000000001'] }, 'merchants.0'],
    [{ merchants: ['nobody'] }, 'merchants.0'],
    [{ merchants: 'x' }, 'merchants'],
    [{ users: ['6f0e6d2e-0d5f-4f6b-9d3b-0d7ad9f5b3a1'] }, 'users.0'],
    [{ users: ['nobody'] }, 'users.0'],
    [{ users: [5] }, 'users.0'],
  ])('%j is refused, naming %s', async (wrong, field) => {
    const { payment_no } = await create({ test_mode: true });
    const refused = await send('PUT', `/channels/${payment_no}/debug-grants`, wrong);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
  });
});

test('R-226 D-1200 a rotated webhook secret stays valid for 24 hours of real time, also if it is sent again', async () => {
  const { payment_no } = await create();
  const before = await stored(payment_no);
  await service.advance(3_600);
  const asked = Date.now();
  const rotated = await send('POST', `/channels/${payment_no}/webhook-secret-rotation`, {
    webhook_secret: 'whsec_next',
  });
  const answered = Date.now();
  expect(rotated.status).toBe(200);
  const after = await stored(payment_no);
  expect(after.previous_webhook_secret_box).toEqual(before.webhook_secret_box);
  expect(after.webhook_secret_box).not.toEqual(before.webhook_secret_box);
  const until = (after.previous_webhook_valid_until as Date).getTime() - 24 * 3_600_000;
  expect(until).toBeGreaterThanOrEqual(asked);
  expect(until).toBeLessThanOrEqual(answered);
  expect(rotated.body).toMatchObject({
    config: {
      previous_webhook_secret_valid_until: (after.previous_webhook_valid_until as Date).toISOString(),
    },
  });
  expect((await auditLog())[0]).toMatchObject({
    action: 'channel.rotate-webhook-secret',
    after: { secrets_set: ['webhook_secret'] },
  });

  // Sent again, as after a lost answer.
  await send('POST', `/channels/${payment_no}/webhook-secret-rotation`, { webhook_secret: 'whsec_next' });
  expect(await stored(payment_no)).toEqual(after);

  // A newly set secret replaces the old one.
  await send('PATCH', `/channels/${payment_no}`, { config: { webhook_secret: 'whsec_only' } });
  expect((await stored(payment_no)).previous_webhook_secret_box).toBeNull();
});

test.each([
  ['PATCH', '', { name: 'X' }],
  ['PUT', '/debug-grants', {}],
  ['POST', '/webhook-secret-rotation', { webhook_secret: 'whsec_x' }],
])('%s /channels/ch_nobody%s is 404', async (method, rest, body) => {
  const answer = await send(method, `/channels/ch_nobody${rest}`, body);
  expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
});

test('channels are listed page by page, as they are answered', async () => {
  await create();
  const { body } = await send<{ items: Json[]; next_cursor: string }>('GET', '/channels?limit=1');
  expect(Check(PageOf(ChannelAnswer), body)).toBe(true);
  const { body: rest } = await send<{ items: Json[] }>(
    'GET',
    `/channels?limit=100&cursor=${body.next_cursor}`,
  );
  const numbers = [...body.items, ...rest.items].map(({ payment_no }) => payment_no);
  expect(numbers).toEqual([...new Set(numbers)].sort());
  expect(numbers).toContain(platform.ptk_channel);
});
