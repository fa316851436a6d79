import { join } from 'node:path';
import { ptkDecimals, formatMinor } from '../base/money.ts';
import type { Config } from '../config.ts';
import type { DemoState } from './demo-state.ts';
import { demoPeople, type Seeded } from './seed.ts';

/** The table that `npm start` prints: the addresses, the people who can sign in, and a first order to paste. */
export function startTable(
  config: Config,
  demo: DemoState,
  seeded: (Seeded & { cardsim_url: string; receiver_url: string; shop_url: string | null }) | null,
  runs_as: string | null,
): string {
  const { public_url } = config;
  const database =
    config.database_url === null
      ? `embedded PostgreSQL${runs_as === null ? '' : ` (as user ${runs_as})`}`
      : 'the one of DATABASE_URL';
  const rows: [string, string][] = [
    ['Paydesk', public_url],
    ['Documentation', `${public_url}/docs`],
    ['Merchants’ console', `${public_url}/console`],
    ['Platform’s console', `${public_url}/platform`],
    ['Database', database],
    ['Data directory', config.data_dir],
    ['Log', join(config.data_dir, 'paydesk.log')],
    ['Mail', config.mail?.kind === 'outbox' ? `files in ${config.mail.dir}` : 'sent by PAYDESK_SMTP_URL'],
    [
      'Administration key',
      config.admin_key === demo.admin_key ? demo.admin_key : 'the one of PAYDESK_ADMIN_KEY',
    ],
  ];
  if (seeded === null) return `\n${table(rows)}\n\n${firstAdministrator(config)}\n`;
  if (seeded.shop_url !== null) rows.splice(1, 0, ['Demo shop', seeded.shop_url]);
  rows.push(
    ['Card simulator', seeded.cardsim_url],
    ['Demo receiver', seeded.receiver_url],
    ['Administrator', `${demoPeople.admin.email}  password ${demo.passwords.admin}`],
    ['Merchant', `${demoPeople.merchant.email}  password ${demo.passwords.merchant}`],
    ['Buyer', `${demoPeople.buyer.email}  password ${demo.passwords.buyer}  (${buyerFunds(seeded)} PTK)`],
    ['Demo merchant', `${seeded.merchant_no}  ${seeded.merchant_name}`],
    ['Client id', seeded.client_id],
    ['Client secret', demo.client_secret],
  );
  const shop = seeded.shop_url === null ? '' : `Buy something in the demo shop: ${seeded.shop_url}\n\n`;
  return `\n${table(rows)}\n\n${shop}Paste this to create an order for USD 10.00:\n\n${curlLines(public_url, seeded.client_id, demo.client_secret)}\n`;
}

/** Without demo data nobody can sign in yet (D-1344). */
function firstAdministrator({ database_url, data_dir, public_url }: Config): string {
  const where =
    database_url === null ? `PAYDESK_DATA_DIR='${data_dir.replaceAll("'", `'\\''`)}'` : 'DATABASE_URL=…';
  return [
    'Paste this into another terminal, in this directory, to make an administrator with your address:',
    `\n${where} npx paydesk create-admin --email you@example.com\n`,
    `Then sign in at ${public_url}/platform. It lists the first steps.`,
  ].join('\n');
}

const buyerFunds = ({ buyer_ptk }: Seeded): string =>
  formatMinor(buyer_ptk, ptkDecimals).replace(/\.?0+$/, '');

function table(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  const rule = '-'.repeat(Math.max(...lines.map((line) => line.length)));
  return [rule, ...lines, rule].join('\n');
}

function curlLines(public_url: string, client_id: string, client_secret: string): string {
  return [
    `PAYDESK=${public_url}`,
    'TOKEN=$(curl -s $PAYDESK/oauth/token -d grant_type=client_credentials \\',
    `  -d client_id=${client_id} -d client_secret=${client_secret} \\`,
    `  -d 'scope=merchant_payments.create merchant_payments.read' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    'curl -s $PAYDESK/openapi/v1/merchant-payments -H "Authorization: Bearer $TOKEN" \\',
    `  -H 'Content-Type: application/json' \\`,
    // The answer has no line feed at its end.
    `  -d '{"external_reference":"order-1","idempotency_key":"'$(date +%s)'","amount":"10.00","currency":"USD","description":"A good book"}'; echo`,
  ].join('\n');
}
