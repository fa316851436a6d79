/** Fills a database with the books of many paid orders, for the benchmark `verify`. */
import type { Database } from './database.ts';

/** The size of a set of books. The payment of an order is one entry, its release another. */
export interface BooksSize {
  merchants: number;
  /** Number of paid orders, alternately by card and by PTK, with fees and a hold. */
  orders: number;
  /** Number of these orders whose hold has ended. */
  released: number;
}

/** One million entries. */
export const millionEntries: BooksSize = { merchants: 50, orders: 600_000, released: 400_000 };

/** Every order is USD 10.00 at 0.10 per PTK, with the fees of the example in docs/ledger.md. */
const orders = `
  INSERT INTO collection_orders (merchant_id, order_no, idempotency_key, external_reference, description,
    requested_payment_no, amount_minor, currency, currency_decimals, created_at, expires_in, expires_at, return_url,
    notify_mode, notify_url, token_key_id, status, status_version, price_e12, gross_settlement_ptk, hold_days,
    fee_status, fee_version, payment_no, test_mode, payment_currency, payment_decimals, payment_amount, buyer_fee,
    merchant_fee, merchant_fee_ptk, settlement_ptk, event_id, provider_trade_no, occurred_at, occurred_at_text)
  SELECT merchant_id, order_no, 'key-' || i, 'INV-' || i, '', '', 1000, 'USD', 2, at, 1800, at + interval '30 min', '',
    'unspecified', '', '00000000', 'paid', 2, 100000000000, 10000000000, 7, 'quoted', 1,
    CASE WHEN by_card THEN 'ch_card' ELSE 'ch_ptk' END, false, CASE WHEN by_card THEN 'USD' ELSE 'PTK' END,
    CASE WHEN by_card THEN 2 ELSE 8 END, CASE WHEN by_card THEN 1060 ELSE 10060000000 END,
    CASE WHEN by_card THEN 60 ELSE 60000000 END, CASE WHEN by_card THEN 26 ELSE 260000000 END, 260000000, 9740000000,
    'pe_' || i, 'trade-' || i, at, ''
  FROM paid`;

const transfer = (
  posting: string,
  leg: number,
  accounts: [string, string],
  money: [string, string],
): string =>
  `SELECT merchant_id, order_no, '${posting}', '', ${leg}, ${accounts[0]}, ${accounts[1]}, '${money[0]}', ${money[1]},
    false, at FROM paid`;

const held = `'m:held:' || order_no`;
const wallet = `'user:' || user_id || ':available'`;

/** The transfers of P1, P2 and P3, as the service writes them. */
const transfers = `
  INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account, credit_account, currency,
    amount, test_mode, at)
  ${[
    `${transfer('P1', 1, [`'prov:ch_card:USD'`, `'inc:buyer_fee:USD'`], ['USD', '60'])} WHERE by_card`,
    `${transfer('P1', 2, [`'prov:ch_card:USD'`, `'fx:USD'`], ['USD', '1000'])} WHERE by_card`,
    `${transfer('P1', 3, [`'fx:PTK'`, `'inc:merchant_fee'`], ['PTK', '260000000'])} WHERE by_card`,
    `${transfer('P1', 4, [`'fx:PTK'`, held], ['PTK', '9740000000'])} WHERE by_card`,
    `${transfer('P2', 1, [wallet, `'inc:buyer_fee:PTK'`], ['PTK', '60000000'])} WHERE NOT by_card`,
    `${transfer('P2', 2, [wallet, `'inc:merchant_fee'`], ['PTK', '260000000'])} WHERE NOT by_card`,
    `${transfer('P2', 3, [wallet, held], ['PTK', '9740000000'])} WHERE NOT by_card`,
    `${transfer('P3', 1, [held, `'m:available'`], ['PTK', '9740000000'])} WHERE is_released`,
  ].join('\n UNION ALL ')}`;

/**
 * The sums of the transfers, as the service stores them. The last statements issue the PTK that the buyers
 * have spent.
 */
const balances = [
  `INSERT INTO payment_holds (merchant_id, order_no, release_at, released_at)
    SELECT merchant_id, order_no, at + interval '7 days', CASE WHEN is_released THEN at + interval '7 days' END FROM paid`,
  `INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
    SELECT merchant_id, 'm:held', order_no, 'PTK', CASE WHEN is_released THEN 0 ELSE 9740000000 END FROM paid`,
  `INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
    SELECT merchant_id, 'm:available', '', 'PTK', 9740000000 * count(*) FROM paid WHERE is_released GROUP BY 1`,
  `INSERT INTO user_wallet_lines (user_id, merchant_id, subject, posting, amount_ptk, at)
    SELECT user_id, merchant_id, order_no, 'P2', -10060000000, at FROM paid WHERE NOT by_card`,
  `INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account, credit_account, currency,
      amount, test_mode, at)
    SELECT '00000000-0000-0000-0000-000000000000', 'user-top-up:' || user_id, 'P14i', '', 1, 'issue:PTK', ${wallet},
      'PTK', 10060000000 * count(*), false, now() FROM paid WHERE NOT by_card GROUP BY user_id`,
  `INSERT INTO user_wallet_lines (user_id, merchant_id, subject, posting, amount_ptk, at)
    SELECT user_id, '00000000-0000-0000-0000-000000000000', 'user-top-up:' || user_id, 'P14i',
      10060000000 * count(*), now() FROM paid WHERE NOT by_card GROUP BY user_id`,
  `INSERT INTO user_wallets (user_id, available_ptk) SELECT DISTINCT user_id, 0 FROM paid WHERE NOT by_card`,
];

/** Fills an empty schema with paid orders and their books by SQL. A million entries take about a minute. */
export async function fillBooks(database: Database, size: BooksSize): Promise<void> {
  await database.query(
    `CREATE UNLOGGED TABLE paid AS SELECT i,
        md5('merchant ' || i % ${size.merchants})::uuid AS merchant_id, md5('buyer ' || i % 1000)::uuid AS user_id,
        'mp_' || lpad(i::text, 26, '0') AS order_no, i % 2 = 0 AS by_card, i <= ${size.released} AS is_released,
        timestamptz '2026-01-01' + i * interval '1 second' AS at
      FROM generate_series(1, ${size.orders}) AS i`,
  );
  for (const statement of [orders, transfers, ...balances]) await database.query(statement);
  await database.query('DROP TABLE paid');
  await database.query('VACUUM (ANALYZE)');
}
