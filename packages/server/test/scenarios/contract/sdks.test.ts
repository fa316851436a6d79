/** The SDKs of all languages: their own tests, and the same calls of each against one live service. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../support/desks/catalog.ts';
import { readRepository, repository } from '../../support/rules/deployment.ts';
import { localReceiver, type LocalReceiver } from '../../support/notifications/notify.ts';
import {
  addClient,
  allScopes,
  catalogScopes,
  merchantOf,
  payWithPtk,
  signIn,
} from '../../support/desks/platform.ts';
import { type Credentials, type LiveWorld, useLiveService } from '../../support/desks/sdk-live.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { temporaryDirectory, type TemporaryDirectory } from '../../support/run/temporary.ts';
import { sdkTools } from '../../support/run/tools.ts';
import { authorizerOf } from '../../support/people/user-token.ts';

const redirect_uri = 'https://shop.example/back';
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const run = promisify(execFile);

interface Sdk {
  language: keyof typeof sdkTools;
  /** The program that makes every call, started in the folder of the SDK. */
  live: string[];
  /** The files beside the first example of the README, and its own name. */
  beside: (folder: string) => Record<string, string>;
  example: string;
  start: string[];
  env?: (folder: string) => Record<string, string>;
}

const sdks: Sdk[] = [
  {
    language: 'python',
    live: ['-B', 'tests/live.py'],
    beside: () => ({}),
    example: 'example.py',
    start: ['-B', 'example.py'],
    env: (folder) => ({ PYTHONPATH: join(folder, 'src') }),
  },
  {
    language: 'php',
    live: ['tests/live.php'],
    beside: (folder) => ({ 'vendor/autoload.php': `<?php require '${folder}/autoload.php';` }),
    example: 'example.php',
    start: ['example.php'],
  },
  {
    language: 'go',
    live: ['run', './internal/live'],
    beside: (folder) => ({
      'go.mod': [
        'module shop.example/shop',
        'go 1.18',
        `replace paydesk.example/paydesk => ${folder}`,
        'require paydesk.example/paydesk v0.0.0\n',
      ].join('\n\n'),
    }),
    example: 'main.go',
    start: ['run', '.'],
  },
];

let shop: Shop;
let receiver: LocalReceiver;
let folder: TemporaryDirectory;
let credentials: Credentials;
let world: Omit<LiveWorld, keyof Paid>;
/** The buyer, as the client knows that person. */
let sub: unknown;

beforeAll(async () => {
  receiver = await localReceiver();
  folder = await temporaryDirectory('sdks');
  shop = await openShop(receiver.env);
  await shop.product({ gd_name: 'Candle' });
  credentials = await client();
  world = await prepare();
  const headers = { authorization: `Bearer ${world.user_token}` };
  ({ sub } = (await shop.service.send('GET', '/oauth/userinfo', { headers })).body);
});
afterAll(async () => {
  await shop.stop();
  await receiver.remove();
  await folder.remove();
});

/** A merchant's program that may make every call. */
async function client(): Promise<Credentials> {
  const scopes = [...allScopes, ...catalogScopes, 'openid', 'merchant.profile.read', 'products.read'];
  const settings = { name: 'Every call', scopes, redirect_uris: [redirect_uri] };
  const { client_id, client_secret } = await addClient(shop.service, shop.platform.merchant_no, settings);
  return { base_url: shop.service.url, client_id, client_secret };
}

/** A product, and the token of a buyer. */
async function prepare(): Promise<typeof world> {
  const scope = ['openid', 'products.read', ...catalogScopes].join(' ');
  const buyer = await authorizerOf(shop.service, shop.buyer, credentials, redirect_uri);
  return {
    ...{ prefix: 'SO', secret, payment_no: shop.platform.ptk_channel },
    user_token: await buyer.token(scope),
    gd_no: await shop.product({ gd_name: 'Book', in_stock: 100 }),
  };
}

type Paid = Pick<
  LiveWorld,
  'paid_order_no' | 'external_reference' | 'settlement_ptk' | 'headers' | 'body_base64'
>;

/** A paid order with its notification. Each program has its own, because a notification is believed for minutes only. */
async function paidOrder(language: string): Promise<Paid> {
  const merchant = await merchantOf(shop.service, credentials);
  const external_reference = `SO-paid-${language}`;
  const order = await merchant.order({
    ...{ external_reference, idempotency_key: external_reference, amount: '10.00', currency: 'USD' },
    ...{ notify_url: receiver.url(), notify_secret: secret },
  });
  await payWithPtk(shop.service, order, await signIn(shop.service, shop.buyer));
  const isPaid = ({ body }: { body: Buffer }): boolean => body.includes('"status":"paid"');
  const [delivery] = await eventually(
    () => Promise.resolve(receiver.of(order).filter(isPaid)),
    (found) => found.length > 0,
  );
  if (delivery === undefined) throw new Error('nothing was delivered');
  const { body } = await merchant.read(order.order_no);
  return {
    ...{ paid_order_no: order.order_no, external_reference },
    settlement_ptk: String(body.settlement_ptk),
    headers: Object.fromEntries(
      Object.entries(delivery.headers).map(([name, value]) => [name, String(value)]),
    ),
    body_base64: delivery.body.toString('base64'),
  };
}

/** What every program finds. */
const expected = (language: string): unknown => ({
  created: [`SO-${language}-1`, '10.00', 1000, 'USD', 'pending'],
  again: true,
  conflict: [409, 'payment_conflict', 'amount'],
  invalid: [400, 'invalid_amount', 'amount'],
  read: [true, 'pending', 'unselected', false],
  missing: [404, 'payment_not_found'],
  listed: [true],
  paged: [`SO-${language}-1`, `SO-${language}-2`],
  channels: ['cardprov', 'ptk'],
  paid: ['paid', true, true],
  delivered: ['delivered', true],
  posting: ['post', 'ignore'],
  merchant: 'Bookshop',
  products: ['Book', 'Candle'],
  price: '1000000000',
  page: [1, 2],
  ordered: [0, 2, '2000000000'],
  session: [true, true, true],
  status: 1,
  person: sub,
  tokens: 2,
});

/** The environment of a program; Go keeps what it has built. */
const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  ...{ GOCACHE: join(repository, '.cache', 'go-build'), GOFLAGS: '', GOPROXY: 'off', GOTOOLCHAIN: 'local' },
  PAYDESK_URL: credentials.base_url,
  PAYDESK_CLIENT_ID: credentials.client_id,
  PAYDESK_CLIENT_SECRET: credentials.client_secret,
  ...more,
});

const home = (language: string): string => join(repository, 'sdks', language);

/** The first block of a README in a language. */
const blockOf = (readme: string, language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? '';

test('D-286 the SDK for Node.js makes every call against a live service', async () => {
  const live = { ...world, ...(await paidOrder('node')) };
  expect(await useLiveService(credentials, live)).toEqual(expected('node'));
});

/** Why the tests of a language are skipped, for the list of results. */
const about = (language: keyof typeof sdkTools): string =>
  sdkTools[language]() === undefined ? `${language} (skipped: not installed here)` : language;

describe.each(sdks.map((sdk) => ({ ...sdk, name: about(sdk.language) })))('the SDK for $name', (sdk) => {
  const { language } = sdk;
  const tool = sdkTools[language]();
  const here = test.skipIf(tool === undefined);
  const options = { timeout: 600_000 };

  here(
    'D-285 D-920 D-922 D-924 D-926 D-928 D-929 D-1141 D-1142 D-1143 D-1144 D-1389 D-1427 D-1428 D-1432 the command of its README passes the vectors and its own tests',
    options,
    async () => {
      const tests = readRepository('sdks', language, 'README.md').split('\n## Tests\n')[1] ?? '';
      const command = blockOf(tests, 'sh').trim();
      expect(command).not.toBe('');
      await run('sh', ['-c', command], { cwd: home(language), env: environment() });
    },
  );

  here('D-286 makes every call against a live service', options, async () => {
    const live = { ...world, ...(await paidOrder(language)) };
    const env = environment({ PAYDESK_LIVE: JSON.stringify(live) });
    const { stdout } = await run(tool ?? '', sdk.live, { cwd: home(language), env });
    expect(JSON.parse(stdout)).toEqual(expected(language));
  });

  here(
    'D-286 D-925 the first example of its README runs unchanged, also after the guide',
    options,
    async () => {
      const guide = /^ +-d '(\{"external_reference"[^']*\})'$/m.exec(readRepository('docs', 'start.md'))?.[1];
      const merchant = await merchantOf(shop.service, credentials);
      expect((await merchant.create(JSON.parse(guide ?? '') as Json)).status).toBe(201);
      const cwd = join(folder.path, language);
      const files = {
        [sdk.example]: blockOf(readRepository('sdks', language, 'README.md'), language),
        ...sdk.beside(home(language)),
      };
      for (const [name, text] of Object.entries(files)) {
        await mkdir(join(cwd, name, '..'), { recursive: true });
        await writeFile(join(cwd, name), text);
      }
      const env = environment(sdk.env?.(home(language)));
      const { stdout } = await run(tool ?? '', sdk.start, { cwd, env });
      expect(stdout).toMatch(/^mp_\w+ pending\n$/);
    },
  );
});
