import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { visit } from '../support/console-browser.ts';
import {
  addCardChannel,
  checkoutOf,
  merchantOf,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
} from '../support/platform.ts';
import { eventually, startTestService, type TestService } from '../support/service.ts';

/** Where `npm run pictures` wants them. */
const directory = process.env.PAYDESK_PICTURES ?? '';

let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let browser: Browser;
let admin: Pick<Person, 'email' | 'password'>;
let channel: { payment_no: string; webhook_url: string };
let order_no = '';

const titles = [
  'The Night Sky, 2nd edition',
  'A Field Guide to Lanterns',
  'Tea and Typography',
  'Maps of Places That Moved',
];

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService();
  platform = await setUpPlatform(service);
  const rule = { fixed_minor: 30, percent_ppm: 29_000 };
  channel = await addCardChannel(service, cardsim.url, {
    fees: [{ currency: 'USD', buyer: rule, merchant: { fixed_minor: 0, percent_ppm: 10_000 } }],
    supported_currencies: ['USD'],
  });
  await cardsim.registerWebhook({ url: channel.webhook_url, secret: 'whsec_simulated' });
  admin = { email: 'ada@people.test', password: 'a long enough password' };
  await service.admin('POST', '/users', { ...admin, name: 'Ada Admin', role: 'admin' });
  await service.admin('POST', `/merchants/${platform.merchant_no}/guarantee-deposits`, {
    amount_ptk: '50000000000',
    reference: 'guarantee',
  });
  await sell();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await cardsim.close();
});

/** Three weeks of business: most orders are paid, one of them with too little. */
async function sell(): Promise<void> {
  const merchant = await merchantOf(service, platform.client);
  const buyer = await signIn(service, platform.buyer);
  for (let day = 0; day < 14; day++) {
    for (let nth = 0; nth <= day % 3; nth++) {
      const order = await merchant.order({
        external_reference: `INV-2026-00${400 + day * 3 + nth}`,
        amount: `${4 + ((day * 7 + nth * 5) % 23)}.90`,
        description: titles[(day + nth) % titles.length],
      });
      const checkout = checkoutOf(service, order, buyer);
      if ((day + nth) % 4 !== 3) await checkout.start(await checkout.methodOf('ptk'));
      order_no = (day + nth) % 4 === 3 ? order_no : order.order_no;
    }
    await service.advance(86_400);
  }
  const odd = await merchant.order({ external_reference: 'INV-2026-00499', amount: '40.00' });
  const checkout = checkoutOf(service, odd);
  await checkout.start(await checkout.methodOf('cardprov'));
  const { items } = (await (await fetch(`${cardsim.url}/_sim/sessions`)).json()) as {
    items: { id: string }[];
  };
  await fetch(`${cardsim.url}/_sim/sessions/${items[0]?.id ?? ''}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount_total: 100 }),
  });
  await eventually(
    () => service.admin<{ items: unknown[] }>('GET', '/cases?state=open'),
    (cases) => cases.items.length > 0,
  );
}

const at = (path: string): string => `/console/merchants/${platform.merchant_no}${path}`;

type Shot = [
  name: string,
  who: 'merchant' | 'admin',
  path: () => string,
  width: number,
  scheme: 'light' | 'dark',
];

describe('pictures of the consoles', () => {
  test.each<Shot>([
    ['merchant-home', 'merchant', () => at(''), 1_280, 'light'],
    ['merchant-orders', 'merchant', () => at('/orders'), 1_280, 'light'],
    ['merchant-order-money', 'merchant', () => at(`/orders/${order_no}?tab=money`), 1_280, 'light'],
    ['merchant-wallet', 'merchant', () => at('/wallet'), 1_280, 'dark'],
    ['merchant-orders-phone', 'merchant', () => at('/orders'), 390, 'light'],
    ['platform-cases', 'admin', () => '/platform/cases', 1_280, 'light'],
    ['platform-merchant', 'admin', () => `/platform/merchants/${platform.merchant_no}`, 1_280, 'light'],
    ['platform-channel', 'admin', () => `/platform/channels/${channel.payment_no}`, 1_280, 'dark'],
    ['platform-overview-phone', 'admin', () => '/platform', 390, 'dark'],
  ])('%s', async (name, who, path, width, scheme) => {
    const person = who === 'admin' ? admin : platform.owner;
    const visitor = await visit(browser, service.url, person, path(), { width, scheme });
    await visitor.open(path());
    // Charts draw themselves once they know their size.
    await visitor.page.waitForLoadState('networkidle');
    await visitor.page.screenshot({ path: `${directory}/${name}.png` });
    await visitor.context.close();
  });
});
