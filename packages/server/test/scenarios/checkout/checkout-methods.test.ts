/** The methods of the card provider: what a channel chooses, what the buyer sees, and payments that take days. */
import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addCardChannel,
  fromAnywhere,
  free,
  type Merchant,
  merchantOf,
  type Order,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let service: TestService;
let cardsim: Cardsim;
let merchant: Merchant;
let card: { payment_no: string; webhook_url: string };

const config = {
  payment_method_types: ['card', 'apple_pay', 'alipay', 'wechat_pay', 'ideal', 'sepa_debit'],
};
const names = { de: 'Karte oder Bank', 'zh-Hans': '银行卡或银行账户' };

// Nothing runs in the background but by `run`.
beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService({ role: 'web' });
  await service.advanceToNoon();
  const platform = await setUpPlatform(service);
  await service.admin('PUT', '/currencies/EUR', { decimals: 2, enabled: true });
  await service.admin('PUT', '/rates/EUR', { ptk_price: '0.10' });
  const account = { api_base: cardsim.url, secret_key: 'sk_live_methods', webhook_secret: 'whsec_methods' };
  card = await addCardChannel(service, cardsim.url, {
    name: 'Card or bank',
    names,
    supported_currencies: ['USD', 'EUR'],
    fees: ['USD', 'EUR'].map((currency) => ({ currency, ...free })),
    config: { ...account, ...config },
  });
  merchant = await merchantOf(service, platform.client);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const sim = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> =>
  (await request<T>(`${cardsim.url}/_sim${path}`, method, body === undefined ? {} : { body })).body;
const run = (job: string) => service.admin('POST', `/jobs/${job}/run`);

interface State extends Json {
  status: string;
  attempt: Json | null;
  methods: (Json & { method_id: string; name: string; provider: string; types?: Json[] })[];
}

/** The calls of a page in a language. */
function pageOf({ order_no, checkout_url }: Order, lang: string) {
  const token = new URL(checkout_url).searchParams.get('token') ?? '';
  const headers = () => ({
    'x-checkout-token': token,
    origin: new URL(service.url).origin,
    'accept-language': lang,
    ...fromAnywhere(),
  });
  const path = `/checkout/api/${order_no}`;
  const state = async (): Promise<State> =>
    (await service.send<State>('GET', path, { headers: headers() })).body;
  const byCard = async () => {
    const method = (await state()).methods.find(({ provider }) => provider === 'cardprov');
    if (method === undefined) throw new Error('no card method');
    return method;
  };
  const start = async (): Promise<Answer> => {
    const { method_id } = await byCard();
    return service.send('POST', `${path}/payments`, { headers: headers(), body: { method_id } });
  };
  return { state, byCard, start };
}

/** What the provider was asked to create for an order, oldest first. */
const creations = async ({ order_no }: Order): Promise<Json[]> => {
  const { items } = await sim<{ items: { endpoint: string | null; params: Json }[] }>('GET', '/requests');
  return items
    .filter(({ endpoint, params }) => {
      return endpoint === 'sessions.create' && (params.metadata as Json).order_no === order_no;
    })
    .map(({ params }) => params);
};

const sessionOf = async ({ order_no }: Order): Promise<string> => {
  const { items } = await sim<{ items: (Json & { id: string; metadata: Json })[] }>('GET', '/sessions');
  return items.find(({ metadata }) => metadata.order_no === order_no)?.id ?? '';
};

const eur = { currency: 'EUR' };

describe('what a buyer is offered', () => {
  test('D-260 the chosen methods that can pay in the currency, by name, in the language of the page', async () => {
    const german = await pageOf(await merchant.order(eur), 'de').byCard();
    expect(german.name).toBe('Karte oder Bank');
    expect(german.types).toEqual([
      { type: 'card', name: 'Karte' },
      { type: 'apple_pay', name: 'Apple Pay' },
      { type: 'alipay', name: 'Alipay' },
      { type: 'wechat_pay', name: 'WeChat Pay' },
      { type: 'ideal', name: 'iDEAL' },
      { type: 'sepa_debit', name: 'SEPA-Lastschrift', days: 20, wait: 'bis zu 20 Tage' },
    ]);
    const english = await pageOf(await merchant.order(), 'en').byCard();
    expect(english.name).toBe('Card or bank');
    expect(english.types?.map(({ type }) => type)).toEqual(['card', 'apple_pay', 'alipay', 'wechat_pay']);
  });

  test.each([
    ['zh-Hans', 'zh'],
    ['de', 'de'],
    // The provider has no Arabic page.
    ['ar', 'auto'],
  ])(
    'D-260, D-261 a page in %s: the provider is told the methods, and the language %s',
    async (lang, locale) => {
      const order = await merchant.order(eur);
      expect((await pageOf(order, lang).start()).status).toBe(200);
      expect(await creations(order)).toMatchObject([
        {
          locale,
          allowed_payment_method_types: ['card', 'alipay', 'wechat_pay', 'ideal', 'sepa_debit'],
          payment_method_options: { wechat_pay: { client: 'web' } },
        },
      ]);
    },
  );

  test('D-092 a retry repeats methods and language, also if the settings have changed since', async () => {
    const order = await merchant.order(eur);
    await sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'reset_after' });
    expect((await pageOf(order, 'de').start()).status).toBe(202);
    await service.admin('PATCH', `/channels/${card.payment_no}`, { config: { payment_method_types: [] } });
    expect((await pageOf(order, 'ja').start()).status).toBe(200);
    await service.admin('PATCH', `/channels/${card.payment_no}`, { config });
    const [first, second, ...more] = await creations(order);
    expect(second).toEqual(first);
    expect(more).toEqual([]);
  });

  test('D-260 a channel whose methods cannot pay in the currency any more is not usable', async () => {
    const order = await merchant.order();
    const only = { supported_currencies: ['EUR'], config: { payment_method_types: ['ideal'] } };
    await service.admin('PATCH', `/channels/${card.payment_no}`, only);
    const page = pageOf(order, 'en');
    expect(await page.byCard()).toMatchObject({ usable: false, unusable_reason: 'channel_unavailable' });
    const refused = await page.start();
    expect([refused.status, refused.body.error]).toEqual([422, 'channel_unavailable']);
    await service.admin('PATCH', `/channels/${card.payment_no}`, {
      supported_currencies: ['USD', 'EUR'],
      config,
    });
    expect((await page.start()).status).toBe(200);
  });

  test('D-915 no card pays a currency that the provider counts with other decimals', async () => {
    const order = await merchant.order(eur);
    const set = (decimals: number) => service.admin('PUT', '/currencies/EUR', { decimals, enabled: true });
    await set(3);
    const page = pageOf(await merchant.order({ ...eur, amount: '10.000' }), 'en');
    expect(await page.byCard()).toMatchObject({ usable: false, unusable_reason: 'channel_unavailable' });
    const refused = await page.start();
    expect([refused.status, refused.body.error]).toEqual([422, 'channel_unavailable']);
    // An order from before has its own decimals, which are right.
    expect((await pageOf(order, 'en').start()).status).toBe(200);
    await set(2);
  });
});

describe('what it was paid with', () => {
  test.each([
    ['card', { type: 'card', name: 'Visa', brand: 'visa', last4: '4242' }],
    ['apple_pay', { type: 'card', name: 'Visa', brand: 'visa', last4: '4242', wallet: 'Apple Pay' }],
    ['alipay', { type: 'alipay', name: '支付宝' }],
  ])('D-263 %s', async (method, paid_with) => {
    const order = await merchant.order(eur);
    const page = pageOf(order, 'zh-Hans');
    await page.start();
    await sim('POST', `/sessions/${await sessionOf(order)}/pay`, { method, webhook: 'none' });
    await service.advance(61);
    await run('reconcile');
    expect(await page.state()).toMatchObject({ status: 'paid', attempt: { state: 'paid', paid_with } });
  });
});

describe('a debit that takes days', () => {
  const days = 86_400;
  const alarms = async (): Promise<unknown[]> =>
    (await service.admin<{ alarms: Json[] }>('GET', '/overview')).alarms.map(({ alarm }) => alarm);
  const lookUps = async (session: string): Promise<number> =>
    (await sim<{ items: Json[] }>('GET', '/requests')).items.filter(
      ({ method, path }) => method === 'GET' && path === `/v1/checkout/sessions/${session}`,
    ).length;

  test.each([
    ['succeeded', 'paid', 'paid'],
    ['failed', 'expired', 'failed'],
  ])(
    'D-262, R-187 is shown as processing without an alarm, looked up ever less, and %s in the end',
    async (outcome, status, state) => {
      const order = await merchant.order(eur);
      const page = pageOf(order, 'de');
      await page.start();
      const session = await sessionOf(order);
      await sim('POST', `/sessions/${session}/pay`, { method: 'sepa_debit', webhook: 'none' });
      await service.advance(61);
      await run('reconcile');
      const processing = {
        state: 'processing',
        days: 20,
        wait: 'bis zu 20 Tage',
        paid_with: { type: 'sepa_debit', name: 'SEPA-Lastschrift', last4: '3000' },
      };
      expect(await page.state()).toMatchObject({ status: 'pending', attempt: processing });
      // Past the deadline, and past the day after which an order in review is an alarm.
      await service.advance(3 * 3_600);
      await run('sweep');
      await run('reconcile');
      await service.advance(2 * days);
      const before = await lookUps(session);
      for (let minute = 0; minute < 180; minute += 20) {
        await service.advance(20 * 60);
        await run('reconcile');
      }
      expect(await lookUps(session)).toBe(before + 3);
      expect(await page.state()).toMatchObject({ status: 'review', attempt: processing });
      expect(await alarms()).not.toContain('orders_in_review');
      await sim('POST', `/sessions/${session}/settle-async`, { outcome });
      await service.advance(3_601);
      await run('reconcile');
      expect(await page.state()).toMatchObject({ status, attempt: { state } });
    },
  );

  test('D-262 a month after the deadline it is an alarm anyway', async () => {
    const order = await merchant.order(eur);
    await pageOf(order, 'de').start();
    const paying = { method: 'sepa_debit', webhook: 'none' };
    await sim('POST', `/sessions/${await sessionOf(order)}/pay`, paying);
    await service.advance(3_600);
    await run('reconcile');
    await run('sweep');
    await service.advance(31 * days);
    expect(await alarms()).toContain('orders_in_review');
  });
});
