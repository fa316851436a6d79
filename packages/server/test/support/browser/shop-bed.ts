/** Everything around a shop system in an end-to-end test: Paydesk, the card provider, a browser, and HTTPS before the shop. */
import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { signNotification } from '@paydesk/sdk';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser, patience_ms } from './browser.ts';
import { emptyDatabase, type TestDatabase } from '../servers/database.ts';
import { setDefaults } from '../notifications/notify.ts';
import { simulate } from '../desks/own-channel.ts';
import {
  addCardChannel,
  checkoutOf,
  type Merchant,
  merchantOf,
  type Order,
  type Platform,
  setUpPlatform,
} from '../desks/platform.ts';
import { freePort } from '../servers/ports.ts';
import { eventually, type Json, startTestService, type TestService } from '../desks/service.ts';
import { startProgram } from '../run/source-process.ts';
import { temporaryDirectory } from '../run/temporary.ts';
import { testAuthority } from '../servers/tls.ts';

/** A shop, and what the test does as its buyer and as the platform. */
export interface ShopBed {
  service: TestService;
  merchant: Merchant;
  /** The shop's address for browsers and for Paydesk. */
  origin: string;
  /** What the shop has to know of Paydesk. */
  settings: { base_url: string; client_id: string; client_secret: string; notify_secret: string };
  /** The card channel. */
  payment_no: string;
  database: TestDatabase;
  /** The notifications that passed, with what the shop answered. */
  deliveries: Delivery[];
  /** What the shop's program writes, and the storefront may read as `/seeded.json`. */
  folder: string;
  /** Starts the shop's program, which prints `ready`. */
  start(file: string, cwd: string, env: Record<string, string>): Promise<void>;
  /** Waits until the shop's program has ended by itself. */
  ended(): Promise<void>;
  /** What the shop answered to the latest notification of an order; 502 where it did not run. */
  lastStatus(order_no: string): number | undefined;
  /** The shop itself, without HTTPS. */
  url: string;
  /** The collection orders of a reference, oldest first. */
  ordersOf(reference: string): Promise<Order[]>;
  /** Opens the provider's session of an order, and pays it as another browser would. */
  startCard(order: { order_no: string; checkout_url: string }): Promise<void>;
  payCard(order: { order_no: string }, how?: Json): Promise<void>;
  /** Another order of a reference, paid through a test channel. Once in a bed. */
  payTest(reference: string, amount: string): Promise<Order>;
  /** The order once it has this status and the shop has taken in the notification. */
  until(order_no: string, status: string): Promise<Order>;
  /** Sends a notification again, as it was. */
  repeat(delivery: Delivery): Promise<number>;
  /** Sends a signed notification about an order that does not exist: the console's test event if it is in test mode. */
  tellOfNone(test_mode: boolean): Promise<number>;
  /** A page of a buyer of its own. */
  buyer(): Promise<{ page: Page; context: BrowserContext }>;
  stop(): Promise<void>;
}

export interface Delivery {
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  status: number;
  data: { order_no: string; external_reference: string; status: string };
}

/**
 * @param html the storefront, for every path that is not the shop's own
 * @param own what begins with one of these goes to the shop
 * @param notify_path the address of notifications
 */
export async function openShopBed(html: string, own: RegExp, notify_path: string): Promise<ShopBed> {
  const authority = await testAuthority();
  const home = await temporaryDirectory('shop');
  const ca = join(home.path, 'ca.pem');
  await writeFile(ca, authority.cert);
  const port = await freePort();
  const deliveries: Delivery[] = [];
  const front = createServer(await authority.issue(), (request, response) => {
    void pass(request, response, { html, own, port, notify_path, deliveries, folder: home.path });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${(front.address() as AddressInfo).port}`;

  const [cardsim, service, browser, database] = await Promise.all([
    startCardsim(),
    startTestService({
      env: {
        PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
        PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32',
        PAYDESK_NOTIFY_CA_FILE: ca,
      },
    }),
    launchBrowser(),
    emptyDatabase(),
  ]);
  const platform = await setUpPlatform(service);
  const card = await addCardChannel(service, cardsim.url);
  await cardsim.registerWebhook({
    url: card.webhook_url,
    secret: 'whsec_simulated',
    account: 'sk_live_simulated',
  });
  const notify_secret = randomBytes(24).toString('base64url');
  await setDefaults(service, platform.merchant_no, {
    // Only this address is allowed, and a name can have others.
    url: origin.replace('localhost', '127.0.0.1') + notify_path,
    enabled: true,
    secret: notify_secret,
  });
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, {
    embed_origins: [origin],
    guest_purchase_allowed: true,
  });
  let program: ReturnType<typeof startProgram> | undefined;
  const repeat: ShopBed['repeat'] = async ({ path, headers, body }) => {
    const { 'content-length': _length, host: _host, connection: _connection, ...rest } = headers;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: rest as Record<string, string>,
      body: new Uint8Array(body),
    });
    return answer.status;
  };
  return {
    ...(await actions(service, cardsim, platform)),
    service,
    origin,
    settings: { base_url: service.url, ...platform.client, notify_secret },
    payment_no: card.payment_no,
    database,
    deliveries,
    folder: home.path,
    async start(file, cwd, env) {
      const given = { PORT: String(port), DATABASE_URL: database.url, SHOP_FOLDER: home.path, ...env };
      program = startProgram(file, [], { cwd, env: given });
      let said = '';
      while (said !== 'ready') {
        said = await program.line();
        if (said !== 'ready') console.log(said);
      }
      program.child.stdout?.on('data', (text: Buffer) => process.stdout.write(text)).resume();
    },
    async ended() {
      await program?.exited;
    },
    lastStatus: (order_no) => deliveries.findLast(({ data }) => data.order_no === order_no)?.status,
    url: `http://127.0.0.1:${port}`,
    async until(order_no, status) {
      const isThere = ({ data }: Delivery): boolean => data.order_no === order_no && data.status === status;
      const delivered = (): Promise<Delivery | undefined> => Promise.resolve(deliveries.findLast(isThere));
      await eventually(delivered, (one) => one !== undefined && one.status < 300);
      return service.admin('GET', `/collection-orders/${order_no}`);
    },
    repeat,
    async tellOfNone(test_mode) {
      const one = deliveries.at(-1);
      if (one === undefined) throw new Error('no delivery');
      const envelope = JSON.parse(one.body.toString()) as { id: string; data: object };
      const data = { ...envelope.data, order_no: 'mp_00000000000000000000000000', test_mode };
      const body = Buffer.from(JSON.stringify({ ...envelope, data }));
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = signNotification(notify_secret, timestamp, body);
      const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature };
      return repeat({ ...one, headers: { ...one.headers, ...headers }, body });
    },
    async buyer() {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      context.setDefaultTimeout(patience_ms);
      const page = await context.newPage();
      await page.goto(origin);
      return { page, context };
    },
    async stop() {
      await browser.close();
      await program?.kill('SIGTERM');
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await service.stop();
      await cardsim.close();
      await database.drop();
      await home.remove();
    },
  };
}

async function actions(service: TestService, cardsim: Cardsim, platform: Platform) {
  const merchant = await merchantOf(service, platform.client);
  const startCard: ShopBed['startCard'] = async (order) => {
    const checkout = checkoutOf(service, order as Order);
    const { status, text } = await checkout.start(await checkout.methodOf('cardprov'));
    if (status !== 200) throw new Error(`start: ${status} ${text}`);
  };
  const payCard: ShopBed['payCard'] = async ({ order_no }, how = {}) => {
    const { items } = await simulate<{ items: { id: string; metadata: { order_no: string } }[] }>(
      cardsim,
      'GET',
      '/sessions',
    );
    const session = items.find(({ metadata }) => metadata.order_no === order_no);
    await simulate(cardsim, 'POST', `/sessions/${session?.id ?? ''}/pay`, how);
  };
  return {
    merchant,
    async ordersOf(reference: string) {
      const { body } = await merchant.get<{ items: Order[] }>(
        `/merchant-payments?external_reference=${encodeURIComponent(reference)}`,
      );
      return body.items.toReversed();
    },
    startCard,
    payCard,
    async payTest(external_reference: string, amount: string) {
      const [secret_key, webhook_secret] = ['sk_test_trial', 'whsec_trial'];
      const { payment_no, webhook_url } = await addCardChannel(service, cardsim.url, {
        name: 'Test cards',
        test_mode: true,
        config: { api_base: cardsim.url, secret_key, webhook_secret },
      });
      await cardsim.registerWebhook({ url: webhook_url, secret: webhook_secret, account: secret_key });
      const grants = { merchants: [platform.merchant_no], users: [] };
      await service.admin('PUT', `/channels/${payment_no}/debug-grants`, grants);
      const order = await merchant.order({ external_reference, amount, payment_no });
      await startCard(order);
      await payCard(order);
      return order;
    },
  };
}

interface Front {
  html: string;
  own: RegExp;
  port: number;
  notify_path: string;
  deliveries: Delivery[];
  folder: string;
}

/** The web server before the shop: the storefront's page, and the way to the shop. */
async function pass(request: IncomingMessage, response: ServerResponse, front: Front): Promise<void> {
  const path = request.url ?? '/';
  if (path === '/seeded.json') {
    response.end(await readFile(join(front.folder, 'seeded.json')));
    return;
  }
  if (!front.own.test(path)) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(front.html);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { method = 'GET', headers } = request;
  const sent = forward({ host: '127.0.0.1', port: front.port, path, method, headers }, (answer) => {
    const status = answer.statusCode ?? 502;
    response.writeHead(status, answer.headers);
    answer.pipe(response);
    if (path !== front.notify_path) return;
    const { data } = JSON.parse(body.toString('utf8')) as Pick<Delivery, 'data'>;
    front.deliveries.push({ path, headers, body, status, data });
  });
  sent.on('error', () => {
    response.writeHead(502).end();
    if (path !== front.notify_path) return;
    const { data } = JSON.parse(body.toString('utf8')) as Pick<Delivery, 'data'>;
    front.deliveries.push({ path, headers, body, status: 502, data });
  });
  sent.end(body);
}
