import { CurrencyAnswer, PageOf, RateAnswer, SettingsAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jpegOf, pngOf } from '../../support/browser/pictures.ts';
import { merchantOf, setUpPlatform, validOrder } from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const put = (path: string, body: unknown): Promise<Answer> =>
  service.send('PUT', `/admin/v1${path}`, {
    body,
    headers: { authorization: 'Bearer test-administration-key' },
  });
const get = (path: string): Promise<Answer<{ items: Json[]; next_cursor?: string }>> =>
  service.send('GET', `/admin/v1${path}`, {
    headers: { authorization: 'Bearer test-administration-key' },
  });
const latest = async (): Promise<Json> =>
  (await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=1')).items[0] ?? {};

describe('PUT /currencies/{code}', () => {
  test('D-040 creates with the default range, then changes, and keeps both in the audit log', async () => {
    const created = await put('/currencies/EUR', { decimals: 2, enabled: false, surplus: 'ignored' });
    expect(created.status).toBe(201);
    const before = { code: 'EUR', decimals: 2, enabled: false, min_minor: 1, max_minor: 9007199254740991 };
    expect(created.body).toEqual(before);
    expect(Check(CurrencyAnswer, created.body)).toBe(true);
    expect(await latest()).toMatchObject({
      actor: 'environment key (bootstrap)',
      action: 'currency.set',
      target: 'currency:EUR',
      reason: null,
      before: null,
      after: before,
    });

    const wanted = { decimals: 2, enabled: true, min_minor: 50, max_minor: '9000000' };
    const changed = await put('/currencies/EUR', wanted);
    expect(changed.status).toBe(200);
    const after = { code: 'EUR', decimals: 2, enabled: true, min_minor: 50, max_minor: 9000000 };
    expect(changed.body).toEqual(after);
    expect(await latest()).toMatchObject({ before, after });
  });

  test.each([
    ['/currencies/usd', { decimals: 2, enabled: true }, 'code'],
    ['/currencies/US', { decimals: 2, enabled: true }, 'code'],
    ['/currencies/PTK', { decimals: 2, enabled: true }, 'decimals'],
    ['/currencies/GBP', {}, 'decimals'],
    ['/currencies/GBP', { decimals: 2 }, 'enabled'],
    ['/currencies/GBP', { decimals: 9, enabled: true }, 'decimals'],
    ['/currencies/GBP', { decimals: -1, enabled: true }, 'decimals'],
    ['/currencies/GBP', { decimals: 1.5, enabled: true }, 'decimals'],
    ['/currencies/GBP', { decimals: '2', enabled: true }, 'decimals'],
    ['/currencies/GBP', { decimals: 2, enabled: 'yes' }, 'enabled'],
    ['/currencies/GBP', { decimals: 2, enabled: true, min_minor: 0 }, 'min_minor'],
    ['/currencies/GBP', { decimals: 2, enabled: true, min_minor: -1 }, 'min_minor'],
    ['/currencies/GBP', { decimals: 2, enabled: true, min_minor: '1.5' }, 'min_minor'],
    ['/currencies/GBP', { decimals: 2, enabled: true, min_minor: 10, max_minor: 9 }, 'max_minor'],
    ['/currencies/GBP', { decimals: 2, enabled: true, max_minor: '9007199254740992' }, 'max_minor'],
    ['/currencies/GBP', [], undefined],
    ['/currencies/GBP', null, undefined],
    ['/rates/GBP', {}, 'ptk_price'],
    ['/rates/GBP', { ptk_price: 0.1 }, 'ptk_price'],
    ['/rates/GBP', { ptk_price: '0' }, 'ptk_price'],
    ['/rates/GBP', { ptk_price: '-1' }, 'ptk_price'],
    ['/rates/GBP', { ptk_price: '1e2' }, 'ptk_price'],
    ['/rates/GBP', { ptk_price: '0.1234567890123' }, 'ptk_price'],
    ['/rates/GBP', { ptk_price: '1'.repeat(21) }, 'ptk_price'],
    ['/rates/gbp', { ptk_price: '1' }, 'code'],
    ['/rates/PTK', { ptk_price: '1' }, 'code'],
    ['/rates/GBP', { ptk_price: '1', valid_until: 'tomorrow' }, 'valid_until'],
    ['/rates/GBP', { ptk_price: '1', valid_until: '2030-02-30T00:00:00Z' }, 'valid_until'],
    ['/rates/GBP', { ptk_price: '1', valid_until: '2030-01-01T00:00:00' }, 'valid_until'],
    ['/rates/GBP', { ptk_price: '1', valid_until: '2030-01-01T24:00:00Z' }, 'valid_until'],
    ['/rates/GBP', { ptk_price: '1', valid_until: '0001-01-01T00:00:00+00:01' }, 'valid_until'],
    ['/rates/GBP', { ptk_price: '1', valid_until: '9999-12-31T23:59:59-00:01' }, 'valid_until'],
  ])('PUT %s %j is refused, naming %s, and changes nothing', async (path, body, field) => {
    const { status, body: answer } = await put(path, body);
    expect([status, answer.error, answer.field]).toEqual([400, 'invalid_request', field]);
    expect(typeof answer.error_description).toBe('string');
    const lists = [await get('/currencies?limit=100'), await get('/rates?limit=100')];
    expect(lists.flatMap(({ body: { items } }) => items.map(({ code }) => code))).not.toContain('GBP');
  });
});

test('D-1319 a maximum below the minimum is refused in words for people who enter whole amounts', async () => {
  const { body } = await put('/currencies/GBP', { decimals: 2, enabled: true, min_minor: 10, max_minor: 9 });
  expect(body.error_description).toBe('The maximum must not be below the minimum.');
});

describe('PUT /rates/{code}', () => {
  test('D-057 keeps every one of twelve places, and an end in any zone', async () => {
    const created = await put('/rates/EUR', { ptk_price: '0.123456789012' });
    expect([created.status, created.body]).toEqual([
      201,
      { code: 'EUR', ptk_price: '0.123456789012', valid_until: null },
    ]);
    const changed = await put('/rates/EUR', {
      ptk_price: '12345678901234567890.5',
      valid_until: '2099-06-01T02:00:00.5+02:00',
    });
    const after = {
      code: 'EUR',
      ptk_price: '12345678901234567890.5',
      valid_until: '2099-06-01T00:00:00.500Z',
    };
    expect([changed.status, changed.body]).toEqual([200, after]);
    expect(Check(RateAnswer, changed.body)).toBe(true);
    expect(await latest()).toMatchObject({ action: 'rate.set', target: 'rate:EUR', after });
  });
});

describe('lists', () => {
  test('are paged by a cursor, 1 to 100 at a time', async () => {
    for (const code of ['AAA', 'AAB', 'AAC', 'AAD', 'AAE']) {
      await put(`/currencies/${code}`, { decimals: 2, enabled: false });
    }
    const codes: unknown[] = [];
    let next: string | undefined = '/currencies?limit=2';
    while (next !== undefined) {
      const { body }: Awaited<ReturnType<typeof get>> = await get(next);
      expect(Check(PageOf(CurrencyAnswer), body)).toBe(true);
      expect(body.items.length).toBeLessThanOrEqual(2);
      codes.push(...body.items.map(({ code }) => code));
      next = body.next_cursor === undefined ? undefined : `/currencies?limit=2&cursor=${body.next_cursor}`;
    }
    expect(codes).toEqual(['AAA', 'AAB', 'AAC', 'AAD', 'AAE', 'EUR']);
    expect((await get('/currencies?limit=6')).body.next_cursor).toBeUndefined();
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=x', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=%21%21', 'cursor'],
    ['cursor=AA', 'cursor'],
  ])('?%s is refused', async (query, field) => {
    for (const list of ['currencies', 'rates', 'users', 'merchants', 'channels', 'clients', 'audit-log']) {
      const { status, body } = await get(`/${list}?${query}`);
      expect([list, status, (body as unknown as Json).field]).toEqual([list, 400, field]);
    }
  });

  test('a cursor of another list is refused if it can be recognized', async () => {
    const { body } = await get('/currencies?limit=1');
    expect((await get(`/merchants?cursor=${body.next_cursor ?? ''}`)).status).toBe(400);
  });
});

describe('the validity of a change', () => {
  test('D-169 it holds in this process from the answer on, and soon in another', async () => {
    const platform = await setUpPlatform(service);
    const other = await service.another('web');
    const merchant = await merchantOf(service, platform.client);
    const create = (url: string): Promise<Answer> =>
      request(`${url}/openapi/v1/merchant-payments`, 'POST', {
        body: validOrder(),
        headers: { authorization: `Bearer ${merchant.token}` },
      });
    // Both have the currency in their caches now.
    for (const { url } of [service, other]) expect((await create(url)).status).toBe(201);

    await put('/currencies/USD', { decimals: 2, enabled: false });
    const here = await create(service.url);
    expect([here.status, here.body.error]).toEqual([422, 'currency_unavailable']);
    await eventually(
      () => create(other.url),
      ({ status }) => status === 422,
    );
  });
});

describe('branding', () => {
  const brand = (branding: Json): Promise<Answer> => put('/settings', { branding });
  const usual = { name: 'Paydesk', logo_url: null, accent_colour: '#1f47c4', support_address: null };
  const signIn = (): Promise<string> => service.send('GET', '/sign-in').then(({ text }) => text);

  test('D-216 is set member by member, and pages and the logo follow', async () => {
    expect((await get('/settings')).body).toMatchObject({ branding: usual });
    const logo = `data:image/png;base64,${pngOf(96, 32).toString('base64')}`;
    const set = await brand({ name: ' Harbour <b>Pay</b> ', logo, accent_colour: '#7A1F5C' });
    const { logo_url } = (set.body as { branding: { logo_url: string } }).branding;
    const named = { name: 'Harbour <b>Pay</b>', logo_url, accent_colour: '#7a1f5c', support_address: null };
    expect([set.status, set.body.branding]).toEqual([200, named]);
    expect(Check(SettingsAnswer, set.body)).toBe(true);
    expect(await latest()).toMatchObject({
      action: 'platform-settings.change',
      before: { branding: usual },
      after: { branding: named },
    });

    const path = new URL(logo_url).pathname;
    const page = await eventually(signIn, (text) => text.includes(`src="${path}"`));
    expect(page).toContain('Harbour &lt;b>Pay&lt;/b>');
    expect(page).toContain('--accent:#7a1f5c');
    const picture = await fetch(service.url + path);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(pngOf(96, 32));
    expect(picture.headers.get('cache-control')).toContain('immutable');
    expect((await service.send('GET', `/branding/logo/${'0'.repeat(64)}`)).status).toBe(404);

    const supported = await brand({ support_address: 'help@harbour.test' });
    expect(supported.body.branding).toEqual({ ...named, support_address: 'help@harbour.test' });
    // An address that cannot be decoded is still an address, and no page fails because of it.
    await brand({ support_address: 'https://harbour.test/100%' });
    await eventually(signIn, (text) => text.includes('https://harbour.test/100%'));
    const reset = await brand({ name: null, logo: null, accent_colour: null, support_address: null });
    expect(reset.body.branding).toEqual(usual);
    await eventually(signIn, (text) => !text.includes('Harbour') && !text.includes('--accent:#7a1f5c'));
    expect((await service.send('GET', path)).status).toBe(404);
  });

  test.each([
    ['name', ' '],
    ['name', 'Two\nlines'],
    ['name', 'Pay\u202eksed'],
    ['name', 'x'.repeat(61)],
    ['logo', 'no picture'],
    ['logo', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['logo', pngOf(4, 4, { animated: true }).toString('base64')],
    ['logo', jpegOf(4_000, 10).toString('base64')],
    ['accent_colour', '#ffd500'],
    ['accent_colour', 'red'],
    ['support_address', 'nobody'],
    ['support_address', 'http://harbour.test/help'],
    ['support_address', 'javascript:alert(1)@x'],
    ['colour', '#000000'],
  ])('D-216 a branding with %s %j is refused, naming the member', async (member, value) => {
    const { status, body } = await brand({ [member]: value });
    expect([status, body.error, body.field]).toEqual([400, 'invalid_request', `branding.${member}`]);
    expect((await get('/settings')).body).toMatchObject({ branding: usual });
  });
});
