import {
  ActivityPage,
  CreatedCollectionOrder,
  OrderNote,
  OrderNoteList,
  PaymentLink,
  PaymentLinkPage,
} from '@paydesk/contract';
import { startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  merchantOf,
  type Order,
  payWithPtk,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Json, request, startTestService, type TestService } from '../../support/desks/service.ts';
import { hidden, visitorOf } from '../../support/people/visitor.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
let reader: Person;
let readerDesk: Console;
let other: Console;
let second: { url: string; stop(): Promise<void> };

beforeAll(async () => {
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  reader = await addUser(service, 'Rita Reader');
  await desk.send('POST', '/people', { email: reader.email, role: 'read-only' });
  readerDesk = await consoleOf(service, reader, platform.merchant_no);
  const { merchant_no } = await addMerchant(service, platform.buyer, { name: 'Another shop' });
  other = await consoleOf(service, platform.buyer, merchant_no);
  second = await service.another('web', { PAYDESK_PUBLIC_URL: service.url });
});

afterAll(async () => {
  await second.stop();
  await service.stop();
});

const newLink = async (wanted: Json): Promise<PaymentLink> => {
  const answer = await desk.send('POST', '/payment-links', { currency: 'USD', ...wanted });
  expectAnswer(answer, 201, PaymentLink);
  return answer.body as unknown as PaymentLink;
};

const open = async ({ link }: { link: string }) => {
  const answer = await service.send<string>('GET', `/pay/${link}`, {
    headers: { ...fromAnywhere(), 'accept-language': 'en' },
  });
  return { ...answer, visit: /name="visit" value="([^"]+)"/.exec(answer.text)?.[1] ?? '' };
};

const go = (
  { link }: { link: string },
  form: Record<string, string>,
  { base = service.url, origin = new URL(service.url).origin } = {},
): Promise<Response> =>
  fetch(`${base}/pay/${link}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...fromAnywhere(), origin, 'accept-language': 'en' },
    body: new URLSearchParams(form),
  });

/** The number of the order that a visit was sent on to. */
const orderIn = (answer: Response): string =>
  /\/checkout\/(mp_\w+)\?token=/.exec(answer.headers.get('location') ?? '')?.[1] ?? `none: ${answer.status}`;

const usesOf = async ({ link }: { link: string }): Promise<unknown> => {
  const { body } = await desk.get<{ items: Json[] }>('/payment-links?limit=100');
  return body.items.find((one) => one.link === link);
};

describe('D-222 a payment link', () => {
  test('makes one ordinary order for a visit that continues, also if its form is sent many times', async () => {
    const link = await newLink({ amount: '25', description: 'Workshop <b>', external_reference: 'may' });
    expect(link).toMatchObject({ amount: '25.00', status: 'active', uses: 0, max_uses: null });
    const before = (await desk.get<{ items: Json[] }>('/collection-orders')).body.items.length;
    const page = await open(link);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Workshop &lt;b')]);
    expect(page.text).toContain('USD');
    expect((await desk.get<{ items: Json[] }>('/collection-orders')).body.items).toHaveLength(before);
    const [one, again] = [await go(link, { visit: page.visit }), await go(link, { visit: page.visit })];
    expect([one.status, again.status]).toEqual([303, 303]);
    expect(orderIn(again)).toBe(orderIn(one));
    expect(await usesOf(link)).toMatchObject({ uses: 1 });
    const read = await merchant.read(orderIn(one));
    expect(read.body).toMatchObject({ amount: '25.00', external_reference: 'may', status: 'pending' });
    const checkout = await fetch(new URL(one.headers.get('location') ?? '', service.url), {
      headers: fromAnywhere(),
    });
    expect([checkout.status, await checkout.text()]).toEqual([200, expect.stringContaining('25.00')]);
    await payWithPtk(service, read.body, await signIn(service, platform.buyer));
  });

  test('a link with three uses makes three orders, in two processes at once', async () => {
    const link = await newLink({ amount: '1', max_uses: 3 });
    const visits = await Promise.all(Array.from({ length: 12 }, async () => (await open(link)).visit));
    const answers = await Promise.all(
      visits.map((visit, i) => go(link, { visit }, { base: i % 2 === 0 ? service.url : second.url })),
    );
    const made = answers.filter(({ status }) => status === 303);
    expect(new Set(made.map(orderIn)).size).toBe(3);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(9);
    expect(await usesOf(link)).toMatchObject({ uses: 3, status: 'used_up' });
    // Who has an order of the link still reaches it.
    const known = answers.findIndex(({ status }) => status === 303);
    const repeated = await go(link, { visit: visits[known] ?? '' });
    expect(orderIn(repeated)).toBe(orderIn(answers[known] as Response));
    const page = await open(link);
    expect([page.status, page.visit]).toEqual([410, '']);
    expect(page.text).toContain('This payment link has ended');
    const late = await answers.find(({ status }) => status === 410)?.text();
    for (const text of [page.text, late]) expect(text).toContain('reached its maximum number of payments');
  });

  test('D-392 an order that expires unpaid gives its use back: without a payment no buyer can use a link up', async () => {
    const link = await newLink({ amount: '1', max_uses: 2, order_expires_in: 60, external_reference: 'two' });
    const enter = async (): Promise<Response> => go(link, { visit: (await open(link)).visit });
    const paid = orderIn(await enter());
    await payWithPtk(service, (await merchant.read(paid)).body, await signIn(service, platform.buyer));
    const visits = await Promise.all([open(link), open(link), open(link), open(link)]);
    expect((await enter()).status).toBe(303);
    expect((await go(link, { visit: visits[0].visit })).status).toBe(410);
    expect(await usesOf(link)).toMatchObject({ uses: 2, status: 'used_up' });

    await service.advance(61);
    await service.admin('POST', '/jobs/sweep/run');
    expect(await usesOf(link)).toMatchObject({ uses: 1, status: 'active' });
    expect((await open(link)).status).toBe(200);
    // One use is left, and both processes are asked for it at once.
    const answers = await Promise.all(
      visits.map(({ visit }, i) => go(link, { visit }, { base: i % 2 === 0 ? service.url : second.url })),
    );
    const [made, ...more] = answers.filter(({ status }) => status === 303).map(orderIn);
    expect([more, answers.filter(({ status }) => status === 410).length]).toEqual([[], 3]);
    await payWithPtk(service, (await merchant.read(made ?? '')).body, await signIn(service, platform.buyer));
    await service.advance(61);
    await service.admin('POST', '/jobs/sweep/run');
    expect(await usesOf(link)).toMatchObject({ uses: 2, status: 'used_up' });
    expect((await open(link)).status).toBe(410);
  });

  test('D-392 D-1111 is used up, and no fault, where an order that had expired is paid after another one', async () => {
    const cardsim = await startCardsim();
    const { payment_no } = await addCardChannel(service, cardsim.url);
    const sim = <T = Json>(method: string, path: string, body?: Json): Promise<T> =>
      request<T>(`${cardsim.url}/_sim${path}`, method, { body }).then((answer) => answer.body);
    const pass = async (seconds: number): Promise<void> => {
      await service.advance(seconds);
      await service.admin('POST', '/jobs/sweep/run');
      await service.admin('POST', '/jobs/reconcile/run');
    };
    const link = await newLink({
      amount: '1',
      max_uses: 1,
      order_expires_in: 60,
      external_reference: 'late',
    });
    const visits = await Promise.all([open(link), open(link), open(link)]);
    const sent = await go(link, { visit: visits[0].visit });
    const order_no = orderIn(sent);
    const checkout_url = new URL(sent.headers.get('location') ?? '', service.url).href;
    const checkout = checkoutOf(service, { order_no, checkout_url } as Order);
    await checkout.start(await checkout.methodOf('cardprov'));
    // The provider takes the session for expired, and is paid through it later.
    const [session] = (await sim<{ items: (Json & { id: string })[] }>('GET', '/sessions')).items;
    const body = { ...session, status: 'expired' };
    await sim('POST', '/faults', { endpoint: 'sessions.retrieve', mode: 'status', status: 200, body });
    await pass(61);
    expect((await merchant.read(order_no)).body.status).toBe('expired');
    const other = orderIn(await go(link, { visit: visits[1].visit }));
    await payWithPtk(service, (await merchant.read(other)).body, await signIn(service, platform.buyer));
    await sim('POST', `/sessions/${session?.id ?? ''}/pay`, { webhook: 'none' });
    await pass(24 * 3_600);
    expect((await merchant.read(order_no)).body).toMatchObject({ status: 'paid', payment_no });

    expect((await go(link, { visit: visits[2].visit })).status).toBe(410);
    expect(await usesOf(link)).toMatchObject({ status: 'used_up', uses: 1 });
    await service.admin('PATCH', `/channels/${payment_no}`, { enabled: false });
    await cardsim.close();
  });

  test.each([
    ['4.99', 400, 'too small. Enter at least'],
    ['5', 303, ''],
    ['10.00', 303, ''],
    ['7,50', 303, ''],
    ['٧٫٥', 303, ''],
    ['۷٫۵', 303, ''],
    ['10.01', 400, 'too large. Enter at most'],
    ['7.005', 400, 'too many decimals. Enter an amount such as 5.00'],
    ['1,000', 400, 'Enter an amount such as 5.00, without thousands separators'],
    ['-7', 400, 'Enter an amount such as 5.00'],
    ['', 400, 'Enter an amount such as 5.00'],
    ['7e0', 400, 'Enter an amount such as 5.00'],
  ])('D-511 D-1034 takes an entered amount within its bounds: %s gives %i', async (amount, status, words) => {
    const link = await newLink({ min_amount: '5', max_amount: '10' });
    const page = await open(link);
    expect(page.text).toContain('From');
    const answer = await go(link, { visit: page.visit, amount });
    expect(answer.status).toBe(status);
    if (status === 303) return;
    expect(await answer.text()).toContain(words);
    expect(await usesOf(link)).toMatchObject({ uses: 0 });
  });

  test('the amount of a fixed link is not the visitor’s to choose, and a visit keeps its amount', async () => {
    const fixed = await newLink({ amount: '25' });
    const sent = await go(fixed, { visit: (await open(fixed)).visit, amount: '0.01' });
    expect((await merchant.read(orderIn(sent))).body.amount).toBe('25.00');
    const free = await newLink({});
    const { visit } = await open(free);
    expect((await go(free, { visit, amount: '5' })).status).toBe(303);
    const changed = await go(free, { visit, amount: '6' });
    expect([changed.status, await changed.text()]).toEqual([409, expect.stringContaining('another amount')]);
  });

  test('D-511 ends when it is closed and when its time is over', async () => {
    const closed = await newLink({ amount: '1' });
    const { visit } = await open(closed);
    const answer = await desk.send('DELETE', `/payment-links/${closed.link}`);
    expectAnswer(answer, 200, PaymentLink);
    expect(answer.body).toMatchObject({ status: 'closed' });
    const refused = await go(closed, { visit });
    expect([refused.status, await refused.text()]).toEqual([
      410,
      expect.stringContaining('has closed this link'),
    ]);
    expect((await open(closed)).text).toContain('has closed this link');
    const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
    const expires_at = new Date(Date.parse(now) + 60_000).toISOString();
    const timed = await newLink({ amount: '1', expires_at });
    const page = await open(timed);
    expect(page.status).toBe(200);
    await service.advance(61);
    expect((await go(timed, { visit: page.visit })).status).toBe(410);
    expect((await open(timed)).text).toContain('This link has expired');
    expect(await usesOf(timed)).toMatchObject({ status: 'expired', uses: 0 });
  });

  test('is one merchant’s: others neither see nor close it, and no number tells of another', async () => {
    const link = await newLink({ amount: '1' });
    expect((await other.send('DELETE', `/payment-links/${link.link}`)).body).toMatchObject({
      error: 'not_found',
    });
    expect((await other.get<{ items: Json[] }>('/payment-links')).body.items).toEqual([]);
    const unknown = `${link.link.slice(0, -4)}AAAA`;
    const wrong = [unknown, 'x', 'x'.repeat(36), '..%2f', `${link.link}x`];
    const pages = await Promise.all(wrong.map((one) => open({ link: one })));
    expect(pages.map(({ status }) => status)).toEqual(wrong.map(() => 404));
    expect((await readerDesk.send('POST', '/payment-links', { currency: 'USD' })).body).toMatchObject({
      error: 'role_required',
    });
    expect((await go(link, { visit: 'a' })).status).toBe(409);
    expect(
      (await go(link, { visit: (await open(link)).visit }, { origin: 'https://evil.example' })).status,
    ).toBe(403);
  });

  test('makes no order for an inactive merchant, and counts as one caller under the limit of creations', async () => {
    const link = await newLink({ amount: '1' });
    const path = `/merchants/${platform.merchant_no}`;
    const { visit } = await open(link);
    await service.admin('PATCH', path, { status: 'inactive', reason: 'test' });
    const answer = await go(link, { visit });
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('cannot take payments'),
    ]);
    await service.admin('PATCH', path, { status: 'active', reason: 'test' });
    // Twice as many as a minute has, and one for each: a minute may end meanwhile.
    const statuses = await Promise.all(
      Array.from({ length: 122 }, async () => (await go(link, { visit: 'not-a-visit' })).status),
    );
    expect(statuses).toContain(429);
    expect(statuses).not.toContain(303);
  });

  test('D-1215 the checkout that it leads to has the language that was chosen on its page', async () => {
    const link = await newLink({ amount: '5.00' });
    const buyer = visitorOf(service);
    const { html } = await buyer.get(`${service.url}/pay/${link.link}?lang=fr`);
    const made = await buyer.post(`${service.url}/pay/${link.link}`, { visit: hidden(html, 'visit') });
    expect((await buyer.follow(made)).html).toContain('<html lang="fr"');
  });

  test('D-530 the page says at once that no payment is taken, and offers no form', async () => {
    const fixed = await newLink({ amount: '1' });
    const entered = await newLink({});
    const shown = async () =>
      Promise.all(
        [fixed, entered].map(async (link) => {
          const { status, text } = await open(link);
          return [status, text.includes('cannot take payments'), text.includes('<form class="fields"')];
        }),
      );
    const path = `/merchants/${platform.merchant_no}`;
    const both = (one: unknown) => [one, one];
    expect(await shown()).toEqual(both([200, false, true]));
    await service.admin('PATCH', path, { status: 'inactive', reason: 'test' });
    expect(await shown()).toEqual(both([403, true, false]));
    await service.admin('PATCH', path, { status: 'active', reason: 'test' });
    await service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: false });
    expect(await shown()).toEqual(both([403, true, false]));
    await service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
    expect(await shown()).toEqual(both([200, false, true]));
  });

  test.each([
    [{ currency: 'XXX' }, 422, 'currency_unavailable', 'currency'],
    [{ amount: '1.001' }, 400, 'invalid_amount_precision', 'amount'],
    [{ min_amount: '0' }, 400, 'invalid_amount', 'min_amount'],
    [{ min_amount: '2', max_amount: '1' }, 400, 'invalid_request', 'max_amount'],
    [{ amount: '2', max_amount: '3' }, 400, 'invalid_request', 'amount'],
    [{ expires_at: '2001-01-01T00:00:00Z' }, 400, 'invalid_request', 'expires_at'],
    [{ max_uses: 0 }, 400, 'invalid_request', 'max_uses'],
    [{ description: 'ü'.repeat(251) }, 400, 'invalid_request', 'description'],
    [{ return_url: 'http://shop.example' }, 400, 'invalid_return_url', 'return_url'],
    [{ order_expires_in: 59 }, 400, 'invalid_request', 'order_expires_in'],
  ])('%j is refused', async (wanted, status, error, field) => {
    const answer = await desk.send('POST', '/payment-links', { currency: 'USD', ...wanted });
    expect([answer.status, answer.body]).toMatchObject([status, { error, field }]);
  });

  test('the list goes on page by page', async () => {
    const first = await desk.get<{ items: Json[]; next_cursor: string }>('/payment-links?limit=1');
    expectAnswer(first, 200, PaymentLinkPage);
    const next = await desk.get<{ items: Json[] }>(`/payment-links?limit=1&cursor=${first.body.next_cursor}`);
    expect(next.body.items[0]?.link).not.toBe(first.body.items[0]?.link);
  });
});

test('D-971 what a reader sees of an order does not lead to its checkout', async () => {
  const link = await newLink({ amount: '25' });
  const order_no = orderIn(await go(link, { visit: (await open(link)).visit }));
  const { body } = await readerDesk.get<{ order: Json }>(`/collection-orders/${order_no}`);
  const { idempotency_key } = body.order;
  expect(idempotency_key).toContain(link.link);
  const visit = String(idempotency_key).split(':').at(-1) ?? '';
  expect(orderIn(await go(link, { visit }))).not.toBe(order_no);
});

describe('D-223 actions that only a merchant’s people can do', () => {
  test('an order is created by hand as by a client, once for a key, with one entry in the log', async () => {
    const wanted = {
      external_reference: 'by hand',
      idempotency_key: 'hand-1',
      amount: '12',
      currency: 'USD',
    };
    const first = await desk.send('POST', '/collection-orders', wanted);
    expectAnswer(first, 201, CreatedCollectionOrder);
    expect((await desk.send('POST', '/collection-orders', wanted)).body).toEqual(first.body);
    expect((await desk.send('POST', '/collection-orders', { ...wanted, amount: '13' })).body).toMatchObject({
      error: 'payment_conflict',
      field: 'amount',
    });
    expect((await fetch(String(first.body.checkout_url), { headers: fromAnywhere() })).status).toBe(200);
    expect((await readerDesk.send('POST', '/collection-orders', wanted)).body).toMatchObject({
      error: 'role_required',
    });
    const { body } = await desk.get<{ items: Json[] }>('/activity?limit=100');
    const entries = body.items.filter(({ target }) => target === `order:${String(first.body.order_no)}`);
    expect(entries).toMatchObject([{ action: 'order.create', person: { name: 'Olga Owner' } }]);
    expect(JSON.stringify(entries)).not.toContain('token=');
  });

  test('notes are written, read and deleted only by the merchant’s people', async () => {
    const order = await merchant.order();
    const notes = `/collection-orders/${order.order_no}/notes`;
    const note = await desk.send('POST', notes, { text: '  Call back on Monday  ' });
    expectAnswer(note, 201, OrderNote);
    const list = await readerDesk.get(notes);
    expectAnswer(list, 200, OrderNoteList);
    expect(list.body).toMatchObject({
      items: [{ text: 'Call back on Monday', author: { name: 'Olga Owner' } }],
    });
    expect((await readerDesk.send('POST', notes, { text: 'x' })).body).toMatchObject({
      error: 'role_required',
    });
    expect((await desk.send('POST', notes, { text: '   ' })).body).toMatchObject({ field: 'text' });
    expect((await other.get(notes)).body).toMatchObject({ error: 'payment_not_found' });
    expect((await other.send('POST', notes, { text: 'x' })).body).toMatchObject({
      error: 'payment_not_found',
    });
    const at = `${notes}/${String(note.body.note_id)}`;
    expect((await other.send('DELETE', at)).body).toMatchObject({ error: 'not_found' });
    expect((await desk.send('DELETE', at)).body).toEqual({ deleted: true });
    expect((await desk.get(notes)).body).toEqual({ items: [] });
    expect((await merchant.read(order.order_no)).text).not.toContain('Monday');
  });

  test('the log has what this merchant’s people did, and nothing of others', async () => {
    const answer = await readerDesk.get<{ items: Json[]; next_cursor: string }>('/activity?limit=2');
    expectAnswer(answer, 200, ActivityPage);
    expect(answer.body.items.map(({ action }) => action)).toEqual(['order.note-delete', 'order.note']);
    const rest = await readerDesk.get<{ items: Json[] }>(
      `/activity?limit=1&cursor=${answer.body.next_cursor}`,
    );
    expect(rest.body.items).toMatchObject([{ action: 'order.create' }]);
    expect((await other.get<{ items: Json[] }>('/activity')).body).toEqual({ items: [] });
    expect(answer.text).not.toContain('Monday');
  });

  test('the team shows when each signed in last, and who has a second factor', async () => {
    const { body } = await desk.get<{ items: Json[]; duties: Json[] }>('/people');
    const told = body.items.map((one) => [one.email, one.second_factor, typeof one.last_sign_in_at]);
    expect(told).toEqual([
      [platform.owner.email, false, 'string'],
      [reader.email, false, 'string'],
    ]);
    expect(body.duties).toContainEqual({ duty: 'links', roles: ['owner', 'finance'] });
  });
});
