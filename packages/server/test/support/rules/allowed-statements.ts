/**
 * Statements that may do what a distributed database does badly, each with its reason, told by a part of their text in
 * one line. None of them is part of creating, reading or paying an order: they go to all shards, and may. Both checks
 * of docs/ARCHITECTURE.md, "Ready to be distributed", read this list: the lint and the explained plans.
 */
export const allowedStatements: { of: RegExp; why: string }[] = [
  {
    of: /^SELECT clock_timestamp\(\) AS at$/,
    why: 'the one question for the time: the clock of a process follows its answer, and statements take the clock’s time',
  },
  {
    of: /FROM pg_stat_activity WHERE .* query_start < clock_timestamp\(\)/,
    why: 'the doctor compares two times of the server’s own clock',
  },
  {
    of: /FROM merchants m CROSS JOIN LATERAL/,
    why: 'a worker looks for merchants with due work, once a pass; what it does then names the merchant. The first steps of a platform look for any order',
  },
  {
    of: /FROM (owed_sums|ledger_balances WHERE account LIKE 'm:%' GROUP BY account) UNION ALL/,
    why: 'administrators see what the platform owes to all merchants and people together, in kept sums and new transfers; where no sums are kept, in all balances',
  },
  {
    of: /^SELECT EXISTS \(SELECT 1 FROM ledger_transfers( f)? WHERE (sealed_xact >=|\$\d+)/,
    why: 'a check of the books, and sealing after a restore, look for rows of the server that a dump is from; a distributed database is not asked',
  },
  {
    of: /WITH failing AS .* FROM failing f JOIN merchants m/,
    why: 'an administrator sees which exports fail, of which there are few; the index is on them',
  },
  {
    of: /FROM product_search LIMIT \$\d+/,
    why: 'an administrator looks for a product of any merchant by its name; it ends after 10,000 products',
  },
  {
    of: /FROM merchant_logos WHERE due_at <= \$\d+ ORDER BY due_at LIMIT/,
    why: 'a worker looks for pictures that are due; the index is on it, and what it does then names the merchant',
  },
  {
    of: /SELECT merchant_id FROM (payment_cases|dispute_evidence|\$1) WHERE check_at <= \$\d+ GROUP BY merchant_id ORDER BY/,
    why: 'the same for cases and evidence, of which there are few',
  },
  {
    of: /FROM (collection|catalog)_orders WHERE order_no = \$\d+$/,
    why: 'an administrator, or a buyer’s page, knows only the number; the index is on it',
  },
  {
    of: /FROM card_disputes WHERE (dispute_id|stage) = \$\d+/,
    why: 'an administrator knows only the number, or reads a page of the queue of all merchants; the indexes are on both',
  },
  {
    of: /AS k\(merchant_id, order_no\) JOIN (collection|catalog)_orders o ON o\.merchant_id = k\.merchant_id/,
    why: 'marks the tests in a page of what all merchants have: one index look-up for each row of the page',
  },
  {
    of: /AS w\(merchant_id, account, ref\) JOIN ledger_balances b ON b\.merchant_id = w\.merchant_id/,
    why: 'says what a page of cases, of any merchants, still holds: one index look-up for each row of the page',
  },
  {
    of: /AS m\(merchant_id\) JOIN ledger_balances b ON b\.merchant_id = m\.merchant_id/,
    why: 'shows what a page of merchants hold: the balances of each merchant of the page',
  },
  {
    of: /AS o\(merchant_id, order_no\) JOIN archived_orders r ON r\.merchant_id = o\.merchant_id/,
    why: 'says of at most a few orders that an administrator finds, of any merchant, which file of the archive has their rows',
  },
  {
    of: /FROM payment_attempts WHERE provider_trade_no = \$\d+/,
    why: 'what a card provider reports of a payment names no merchant; the index is on its number',
  },
  {
    of: /FROM payment_attempts WHERE buyer_user_id = \$\d+ AND paid_at IS NOT NULL/,
    why: 'a buyer’s own payments at all merchants; the index is by person, and it ends after one page',
  },
  {
    of: /FROM payment_cases WHERE provider_payment_id = \$\d+/,
    why: 'the same for a payment that a case is about',
  },
  {
    of: /FROM (payment_complaints|withdrawals|payment_cases) WHERE (complaint|withdrawal|case)_id = \$\d+/,
    why: 'an administrator decides by the id alone; the index is on it',
  },
  {
    of: /FROM (withdrawals|payment_\w+|collection_orders) WHERE true .*ORDER BY \w+ (DESC )?(OFFSET \$\d+ )?LIMIT|FROM merchants WHERE merchant_id > \$\d+ .*ORDER/,
    why: 'administrators page through what all merchants have; it ends after one page',
  },
  {
    of: /^SELECT merchant_id, 'owner' AS role FROM merchants WHERE owner_user_id = \$\d+ UNION ALL/,
    why: 'somebody who signs in to the console has no merchant yet: both indexes are by person, and it ends at 200',
  },
  {
    of: /^SELECT count\(\*\)::int AS (count|due, .*) FROM (payment_cases|payment_complaints|withdrawals) WHERE/,
    why: 'an administrator asks how much waits; partial indexes hold no more than that',
  },
  {
    of: /^WITH (odd|entry|moved|booked|marks|sums) AS \(|^SELECT \* FROM \(.*\) d ORDER BY owner, subject, row, what LIMIT/,
    why: 'verify-ledger reads everything there is, on purpose, and joins by merchant',
  },
  {
    of: /^(SELECT m\.owner::text AS owner, m\.account|DECLARE new_subjects|WITH (pairs|wanted|covered) AS \()/,
    why: 'an incremental check reads the new rows of all merchants: indexes of transaction numbers lead to them, keys to what they touch',
  },
  {
    of: /^INSERT INTO ledger_checkpoints AS k \(/,
    why: 'a check keeps the balances of all merchants and people in one table, once an hour',
  },
  {
    of: /^WITH own AS MATERIALIZED /,
    why: 'a command asks once whether anything of one person is open at any merchant, before it erases the person',
  },
  {
    of: /^INSERT INTO (account_sums|owed_sums|\$1) AS k \(/,
    why: 'a worker adds the new transfers of all books to the sums of their accounts, once a minute: an index of transaction numbers leads to them',
  },
  {
    of: /^SELECT quarter, currency, currency_decimals, .* FROM order_sums GROUP BY/,
    why: 'rebuild-sums adds up the sums of all merchants, on one server alone, off every path that is waited for',
  },
  {
    of: /FROM collection_orders WHERE (order_no = ANY|fee_status = 'legacy')/,
    why: 'the import of historical orders makes sure that a number or an event is one order’s alone',
  },
  {
    of: /^INSERT INTO catalog_codes .* FROM unnest\(/,
    why: 'a merchant uploads hundreds of codes of one product at once, off every path that is waited for',
  },
  {
    of: /^INSERT INTO notifications .* FROM unnest\(/,
    why: 'the sweep announces hundreds of expired orders of one merchant at once, off every path that is waited for',
  },
  {
    of: /^INSERT INTO api_requests .* FROM unnest\(/,
    why: 'a process notes once a second what clients of all merchants have asked, off every path that is waited for',
  },
  {
    of: /^INSERT INTO checkout_openings .* FROM unnest\(/,
    why: 'a process notes once a second which checkouts of all merchants were opened, off every path that is waited for',
  },
  {
    of: /^SELECT \S+ AS merchant_id, .* AS hash (\$\d+|FROM \w+ f) WHERE/,
    why: 'a worker seals new rows of all merchants three times a minute: an index of transaction numbers leads to the newest',
  },
  {
    of: /^(SELECT .* FROM seals WHERE \(merchant_id, seal_no\) >|WITH (sealed|drawn) AS (MATERIALIZED )?\(|SELECT \$1 AS merchant_id, \$2 \|\||SELECT s\.merchant_id, s\.seal_no, l\.line FROM seals s)/,
    why: 'verify-ledger walks along all seals and all rows under them, on purpose',
  },
  {
    of: /FROM ledger_transfers t LEFT JOIN \(SELECT DISTINCT merchant_id, subject FROM/,
    why: 'paydesk trial-balance adds up the books of all merchants, on purpose',
  },
  {
    of: /^INSERT INTO seals \(.* VALUES/,
    why: 'a worker adds the seals of all merchants together, so that it seals all rows of a pass or none',
  },
  {
    of: /^SELECT n\.event_id, .* FROM notifications n CROSS JOIN LATERAL .* latest$/,
    why: 'the first half of a statement; each caller adds the merchant in the second half: the plans show it',
  },
];

/** Whether a statement is on the list. */
export function isAllowed(text: string): boolean {
  const line = inOneLine(text);
  return allowedStatements.some(({ of }) => of.test(line));
}

export const inOneLine = (text: string): string =>
  text
    .replace(/\/\* guard: .*? \*\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
