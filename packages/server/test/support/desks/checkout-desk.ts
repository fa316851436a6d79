import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { Writable } from 'node:stream';
import type { Browser } from 'playwright-core';
import { createLog } from '../../../src/base/log.ts';
import { launchBrowser } from '../browser/browser.ts';
import { simulate } from './own-channel.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  busyMerchant,
  checkoutOf,
  type Merchant,
  type Order,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
  topUp,
} from './platform.ts';
import { eventually, type Json, startTestService, type TestService } from './service.ts';

/** A session of the provider, as its control API lists it. */
export interface SimSession extends Json {
  id: string;
  url: string;
  metadata: { order_no: string };
}

/** Everything that a buyer's page can meet: one service, one provider and one browser for a whole file. */
export interface CheckoutDesk {
  service: TestService;
  cardsim: Cardsim;
  browser: Browser;
  platform: Platform;
  /** Sells books, by card with a fee and by PTK. */
  merchant: Merchant;
  /** Sells through a test channel only. */
  trial: Merchant;
  /** A person with an account and 20 PTK. */
  poor: Person;
  /** The card channel of `merchant`. */
  card_channel: string;
  /** A second card channel, for tests that switch one off. */
  spare_channel: string;
  /** Every origin that a page may have to do with: the service's processes, and the provider. */
  origins: string[];
  /** The log of the service, line by line, at its most talkative. */
  logged(): readonly string[];
  sim<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
  /** Makes the next call of an endpoint of the provider go wrong. */
  fault(endpoint: string, mode: string, more?: Json): Promise<void>;
  /** The one session of an order. */
  sessionOf(order: Order): Promise<SimSession>;
  /** Starts the payment of an order as another browser would; throws unless it is answered 200. */
  startElsewhere(order: Order, provider: 'cardprov' | 'ptk', person?: Person): Promise<void>;
  /** The order once it has this status. */
  until(order: Order, status: string): Promise<Order>;
  stop(): Promise<void>;
}

const cardFees = [
  {
    currency: 'USD',
    buyer: { fixed_minor: 30, percent_ppm: 29_000 },
    merchant: { fixed_minor: 10, percent_ppm: 15_000 },
  },
  {
    currency: 'JPY',
    buyer: { fixed_minor: 40, percent_ppm: 29_000 },
    merchant: { fixed_minor: 0, percent_ppm: 15_000 },
  },
  {
    currency: 'KWD',
    buyer: { fixed_minor: 100, percent_ppm: 29_000 },
    merchant: { fixed_minor: 0, percent_ppm: 15_000 },
  },
];

export interface DeskOptions {
  env?: Record<string, string>;
  logo_url?: string;
}

export async function openCheckoutDesk({ env = {}, logo_url }: DeskOptions = {}): Promise<CheckoutDesk> {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const [cardsim, service, browser] = await Promise.all([
    startCardsim(),
    startTestService({
      env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32', ...env },
      log: createLog('trace', stream),
      // A provider that does not answer is not waited for as long as in production.
      timings: { provider_timeout_ms: 5_000, lease_ms: 8_000, wait_ms: 3_000 },
    }),
    launchBrowser(),
  ]);
  const platform = await setUpPlatform(service);
  const profile = { name: 'Lantern Books', ...(logo_url === undefined ? {} : { logo_url }) };
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, profile);
  const card = await addCardChannel(service, cardsim.url, { name: 'Credit or debit card', fees: cardFees });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });

  const tester = await addMerchant(service, platform.owner, { name: 'Trial & Error' });
  const test = await addCardChannel(service, cardsim.url, {
    name: 'Card (trial)',
    test_mode: true,
    fees: cardFees,
    config: { api_base: cardsim.url, secret_key: 'sk_test_trial', webhook_secret: 'whsec_trial' },
  });
  const grants = { merchants: [tester.merchant_no], users: [] };
  await service.admin('PUT', `/channels/${test.payment_no}/debug-grants`, grants);
  const spare = await addCardChannel(service, cardsim.url, {
    name: 'Another card',
    enabled: false,
    fees: cardFees,
    config: { api_base: cardsim.url, secret_key: 'sk_live_spare', webhook_secret: 'whsec_spare' },
  });
  const poor = await addUser(service, 'Pia Poor');
  await topUp(service, poor, 20n * 100_000_000n);

  const merchant = await busyMerchant(service, platform.merchant_no, 3);
  const desk: CheckoutDesk = {
    service,
    cardsim,
    browser,
    platform,
    merchant,
    trial: await busyMerchant(service, tester.merchant_no, 1),
    poor,
    card_channel: card.payment_no,
    spare_channel: spare.payment_no,
    origins: [service.url, cardsim.url],
    logged: () => lines,
    sim: (method, path, body) => simulate(cardsim, method, path, body),
    async fault(endpoint, mode, more = {}) {
      await simulate(cardsim, 'POST', '/faults', { endpoint, mode, ...more });
    },
    async sessionOf({ order_no }) {
      const { items } = await simulate<{ items: SimSession[] }>(cardsim, 'GET', '/sessions');
      const session = items.find(({ metadata }) => metadata.order_no === order_no);
      if (session === undefined) throw new Error(`no session of ${order_no}`);
      return session;
    },
    async startElsewhere(order, provider, person) {
      const cookie = person === undefined ? undefined : await signIn(service, person);
      const checkout = checkoutOf(service, order, cookie);
      const { status, text } = await checkout.start(await checkout.methodOf(provider));
      if (status !== 200) throw new Error(`start: ${status} ${text}`);
    },
    until: async ({ order_no }, status) =>
      (
        await eventually(
          () => merchant.read(order_no),
          ({ body }) => body.status === status,
        )
      ).body,
    async stop() {
      await browser.close();
      await service.stop();
      await cardsim.close();
    },
  };
  return desk;
}
