/** The data of the demo platform: currencies, people, a merchant, channels and products. */
import { OffsetClock } from '../base/time/clock.ts';
import { logAct } from '../base/audit/index.ts';
import { openDatabase, type Tx } from '../base/pg/index.ts';
import {
  type Channel,
  type FeeRule,
  type FeeRules,
  createChannel,
  updateChannel,
} from '../channels/index.ts';
import { parsePrice, setCurrency, setRate } from '../currencies/index.ts';
import { createUser, preparePerson } from '../identity/people/index.ts';
import { topUp } from '../ledger/wallets/index.ts';
import { changeNotifyDefaults, createMerchant, selectMerchant } from '../merchants/index.ts';
import { createClient } from '../oauth/clients/index.ts';
import { type IdSource, merchantNo, systemIds } from '../base/ids.ts';
import { ptk, maxMinor } from '../base/money.ts';
import { openKeyRing } from '../base/keys/index.ts';
import { sealed } from '../base/sealed-columns.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { DemoState } from './demo-state.ts';
import { seedProducts } from './products.ts';

export const demoPeople = {
  admin: { email: 'admin@paydesk.example', name: 'Ada Admin' },
  merchant: { email: 'merchant@paydesk.example', name: 'Mira Merchant' },
  buyer: { email: 'buyer@paydesk.example', name: 'Ben Buyer' },
} as const;

/** The demo data that the start table shows. */
export interface Seeded {
  merchant_no: string;
  merchant_name: string;
  client_id: string;
  webhook_key: string;
  buyer_ptk: bigint;
}

const merchant_name = 'Lantern Books';
const buyer_ptk = 5_000n * 100_000_000n;

const currencies = [
  ['USD', 2, '0.10'],
  ['EUR', 2, '0.09'],
  ['JPY', 0, '15'],
  ['KWD', 3, '0.03'],
  ['PTK', 8, null],
] as const;

export interface SeedOptions {
  database_url: string;
  secret_keys: readonly [Buffer, ...Buffer[]];
  demo: DemoState;
  cardsim_url: string;
  receiver_url: string;
}

/**
 * Creates the demo data at the first start, with the ids and secrets of `DemoState`. At later starts it only updates
 * the addresses of simulator and receiver.
 *
 * Invariant: all data is created in one transaction, so it is complete or absent.
 */
export async function seedDemo(options: SeedOptions): Promise<Seeded> {
  const { demo } = options;
  const db = openDatabase({ url: options.database_url, max: 2, application_name: 'paydesk demo' });
  try {
    const box = await openKeyRing(db, options.secret_keys, new OffsetClock().real());
    await db.transaction(async (tx) => {
      const known = await selectMerchant(tx, demo.ids.merchant_id);
      if (known === null) await seed(tx, box, options);
      else await updateAddresses(tx, box, options);
    });
  } finally {
    await db.close();
  }
  return {
    merchant_no: merchantNo(demo.ids.merchant_id),
    merchant_name,
    client_id: demo.ids.client_id,
    webhook_key: demo.ids.webhook_key,
    buyer_ptk,
  };
}

async function seed(tx: Tx, box: SecretBox, options: SeedOptions): Promise<void> {
  const { demo, cardsim_url, receiver_url } = options;
  const now = new OffsetClock().now();
  const ids = systemIds();
  for (const [code, decimals, ptk_price] of currencies) {
    await setCurrency(tx, { code, decimals, enabled: true, min_minor: 1n, max_minor: maxMinor });
    if (ptk_price !== null) {
      await setRate(tx, { currency: code, price_e12: parsePrice(ptk_price), valid_until: null });
      // The check of the books compares each rate with the audit log.
      const after = { code, ptk_price, valid_until: null };
      const act = { actor: 'command', action: 'rate.set' };
      await logAct(tx, { clock: new OffsetClock(), ids }, act, {
        target: `rate:${code}`,
        before: null,
        after,
      });
    }
  }
  await seedPeople(tx, demo, now);
  await topUp(
    tx,
    {
      to: { user_id: demo.ids.buyer },
      amount_ptk: buyer_ptk,
      reference: 'demo',
      paid: { currency: 'USD', minor: 50_000n },
    },
    now,
  );
  await createMerchant(
    tx,
    demo.ids.merchant_id,
    {
      name: merchant_name,
      owner_user_id: demo.ids.merchant,
      hold_days: 2,
      short_description: 'Books worth staying up for',
      description: 'A small shop for people who read at night.',
      business_scope: 'Books, lamps and gift cards',
      contact: 'hello@lantern-books.example',
    },
    now,
  );
  await createClient(
    tx,
    { box, ids: clientIds(demo) },
    {
      merchant_id: demo.ids.merchant_id,
      name: 'Lantern Books server',
      type: 'confidential',
      redirect_uris: [],
      scopes: [
        'merchant_payments.create',
        'merchant_payments.read',
        'merchant.profile.read',
        'products.read',
      ],
    },
    now,
  );
  for (const channel of channelsOf(box, demo, cardsim_url, now)) await createChannel(tx, channel);
  await changeNotifyDefaults(tx, demo.ids.merchant_id, () => notifyDefaults(box, demo, receiver_url));
  await seedProducts(tx, systemIds(), demo.ids.merchant_id, now);
}

async function seedPeople(tx: Tx, demo: DemoState, now: Date): Promise<void> {
  for (const role of ['admin', 'merchant', 'buyer'] as const) {
    const person = await preparePerson(
      { ids: { uuid: () => demo.ids[role] } },
      {
        ...demoPeople[role],
        password: demo.passwords[role],
        role: role === 'admin' ? 'admin' : 'user',
      },
      now,
    );
    await createUser(tx, person);
  }
}

/** An id source that returns the client's id and secret of `DemoState`, so that the start table can show them. */
function clientIds(demo: DemoState): IdSource {
  return {
    ...systemIds(),
    ulid: () => demo.ids.client_id.slice('cl_'.length),
    secret: () => demo.client_secret,
  };
}

const fee = (fixed_minor: bigint, percent_ppm: number): FeeRule => ({
  fixed_minor,
  percent_ppm,
  cap_minor: null,
});

/** Buyers pay 30 cents and 2.9 % by card, merchants give up 1 %; PTK costs the buyer nothing. */
function channelsOf(box: SecretBox, demo: DemoState, cardsim_url: string, now: Date): Channel[] {
  const cardFees = (fixed_minor: bigint): FeeRules => ({
    buyer: fee(fixed_minor, 29_000),
    merchant: fee(0n, 10_000),
  });
  const common = {
    merchant_id: null,
    names: {},
    payment_method_types: [],
    test_mode: false,
    enabled: true,
    login_required: false,
    debug_merchants: [],
    debug_users: [],
    previous_webhook_secret_box: null,
    previous_webhook_valid_until: null,
    created_at: now,
  };
  return [
    {
      ...common,
      payment_no: demo.ids.card_channel,
      provider: 'cardprov',
      name: 'Card or bank',
      names: {
        de: 'Karte oder Bank',
        es: 'Tarjeta o banco',
        fr: 'Carte ou banque',
        'zh-Hans': '银行卡或银行账户',
        ja: 'カードまたは銀行口座',
        ar: 'بطاقة أو حساب بنكي',
      },
      payment_method_types: [
        ...(['card', 'apple_pay', 'google_pay', 'alipay', 'wechat_pay'] as const),
        ...(['ideal', 'sepa_debit', 'us_bank_account'] as const),
      ],
      currency: 'USD',
      supported_currencies: ['USD', 'EUR', 'JPY', 'KWD'],
      fees: new Map([
        ['USD', cardFees(30n)],
        ['EUR', cardFees(30n)],
        ['JPY', cardFees(40n)],
        ['KWD', cardFees(90n)],
      ]),
      api_base: cardsim_url,
      secret_key_box: box.seal(
        demo.card_secret_key,
        sealed.channelKey.row({ payment_no: demo.ids.card_channel }),
      ),
      live_key: true,
      webhook_secret_box: box.seal(
        demo.card_webhook_secret,
        sealed.webhookSecret.row({ payment_no: demo.ids.card_channel }),
      ),
      webhook_key: demo.ids.webhook_key,
    },
    {
      ...common,
      payment_no: demo.ids.ptk_channel,
      provider: 'ptk',
      name: 'PTK wallet',
      currency: ptk,
      supported_currencies: [],
      fees: new Map([[ptk, { buyer: fee(0n, 0), merchant: fee(0n, 10_000) }]]),
      api_base: '',
      secret_key_box: null,
      live_key: false,
      webhook_secret_box: null,
      webhook_key: null,
    },
  ];
}

const notifyDefaults = (box: SecretBox, demo: DemoState, receiver_url: string) => ({
  notify_url: receiver_url,
  notify_enabled: true,
  notify_secret_box: box.seal(demo.notify_secret, sealed.merchantNotifySecret.row(demo.ids)),
});

/**
 * Updates the addresses of simulator and receiver, whose ports may have changed since the last start, and the secret, which the
 * receiver knows. Notifications that were switched off stay off (D-1418), and an endpoint that a person has set stays (D-1353).
 */
async function updateAddresses(
  tx: Tx,
  box: SecretBox,
  { demo, cardsim_url, receiver_url }: SeedOptions,
): Promise<void> {
  await updateChannel(tx, demo.ids.card_channel, (channel) => ({ ...channel, api_base: cardsim_url }));
  const merchant = await selectMerchant(tx, demo.ids.merchant_id);
  if (merchant === null || merchant.notify_secret_box === null) return;
  const secret = box.open(merchant.notify_secret_box, sealed.merchantNotifySecret.row(demo.ids));
  if (secret === demo.notify_secret || merchant.notify_url === receiver_url) {
    const defaults = notifyDefaults(box, demo, receiver_url);
    await changeNotifyDefaults(tx, demo.ids.merchant_id, ({ notify_enabled }) => ({
      ...defaults,
      notify_enabled,
    }));
  }
}
