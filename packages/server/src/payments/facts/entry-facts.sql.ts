/**
 * Compares the entries in the books with the facts that cause them, in both directions. The recipe of each posting is the
 * table in docs/ledger.md.
 */
import { join, raw, type Sql, sql } from '../../base/pg/index.ts';
import { postings } from '../../ledger/books/index.ts';
import { type Scope, within } from '../../ledger/verification/index.ts';
import { type Check } from './compare.sql.ts';
import { feeEntries, lossEntries, walletReturns } from './expected-losses.sql.ts';
import { caseEntries, settlements, walletCredits } from './expected-settlements.sql.ts';
import { operationEntries, withdrawalEntries } from './expected-operations.sql.ts';

/**
 * The entries that the stored facts call for. Columns: the key of the entry; `lines`, all its transfers in words, or
 * `opening`, the first of them, where the split depends on past balances; `ptk`, the sum of its transfers in PTK; `at`;
 * `test_mode`. A null is not compared: the stored balances prove the split.
 */
const expectedEntries = (scope: Scope): Sql =>
  join(
    [
      ...settlements,
      ...walletCredits,
      ...walletReturns,
      ...caseEntries,
      ...feeEntries,
      ...lossEntries,
      ...withdrawalEntries,
      ...operationEntries,
    ].map((part) => part(scope)),
    ' UNION ALL ',
  );

/** The transfers of each entry in words, in the order of their legs. */
export const entries = (scope: Scope): Sql => sql`(
  SELECT merchant_id, subject, posting, case_key,
    string_agg(debit_account || ' > ' || credit_account || ' ' || amount || ' ' || currency, ', ' ORDER BY leg) AS lines,
    coalesce(sum(amount) FILTER (WHERE currency = 'PTK'), 0) AS ptk, min(at) AS at, max(at) AS last_at,
    bool_or(test_mode) AS test_mode, bool_and(test_mode) AS all_test, count(*) AS legs, max(leg) AS last_leg
  FROM ledger_transfers WHERE ${within(scope, sql`merchant_id`, sql`subject`)}
  GROUP BY merchant_id, subject, posting, case_key)`;

/** Entries that are missing, that no fact calls for, or that are not what the facts call for. */
export const entryFacts: Check = {
  kind: 'entry_differs',
  statement: (scope) => sql`
    SELECT merchant_id::text AS owner, subject,
      'entry ' || posting || ' of ' || subject || CASE case_key WHEN '' THEN '' ELSE ' (' || case_key || ')' END AS row,
      diff.what, diff.expected, diff.found
    FROM (${expectedEntries(scope)}) AS x (merchant_id, subject, posting, case_key, lines, opening, ptk, at, test_mode)
      FULL JOIN ${entries(scope)} e USING (merchant_id, subject, posting, case_key)
      CROSS JOIN LATERAL (VALUES
        ('presence', CASE WHEN x.posting IS NULL THEN 'none' ELSE 'one' END,
          CASE WHEN e.posting IS NULL THEN 'none' ELSE 'one: ' || e.lines END),
        ('transfers', x.lines, e.lines),
        ('first transfer', x.opening, left(e.lines, length(x.opening))),
        ('sum in PTK', x.ptk::text, e.ptk::text),
        ('time', x.at::text, e.at::text),
        ('time of every transfer', e.at::text, e.last_at::text),
        ('test mode', x.test_mode::text, e.test_mode::text),
        ('test mode of every transfer', e.test_mode::text, e.all_test::text)
      ) AS diff (what, expected, found)
    WHERE (x.posting IS NULL OR e.posting IS NULL OR x.lines <> e.lines OR x.opening <> left(e.lines, length(x.opening))
        OR x.ptk <> e.ptk OR x.at <> e.at OR e.at <> e.last_at OR x.test_mode <> e.test_mode
        OR e.test_mode <> e.all_test)
      AND CASE diff.what WHEN 'presence' THEN x.posting IS NULL OR e.posting IS NULL
        ELSE x.posting IS NOT NULL AND e.posting IS NOT NULL AND diff.expected <> diff.found END`,
};

const kindOf = (account: Sql): Sql => sql`CASE WHEN split_part(${account}, ':', 1) IN ('m', 'inc', 'exp')
    THEN split_part(${account}, ':', 1) || ':' || split_part(${account}, ':', 2)
  ELSE split_part(${account}, ':', 1) END`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The transfers that each posting may have, from the catalogue of postings. */
const knownLegs = raw(
  Object.entries(postings)
    .flatMap(([posting, legs]) => Object.keys(legs).map((leg) => `(${quoted(posting)}, ${quoted(leg)})`))
    .join(', '),
);

/** Transfers that their posting does not have, or on the account of another order or case. */
export const legFacts: Check = {
  kind: 'transfer_unknown',
  statement: (scope) => sql`
    SELECT t.merchant_id::text AS owner, t.subject, 'transfer ' || t.leg || ' of ' || t.posting || ' of ' || t.subject AS row,
      'accounts' AS what, 'accounts of ' || t.posting AS expected, t.debit_account || ' > ' || t.credit_account AS found
    FROM ledger_transfers t
    WHERE ${within(scope, sql`t.merchant_id`, sql`t.subject`)}
      AND ((t.posting, ${kindOf(sql`t.debit_account`)} || ' > ' || ${kindOf(sql`t.credit_account`)}) NOT IN (VALUES ${knownLegs})
        OR (t.debit_account LIKE 'user:%' AND t.debit_account NOT LIKE 'user:%:available')
        OR (t.credit_account LIKE 'user:%' AND t.credit_account NOT LIKE 'user:%:available')
        OR (t.debit_account LIKE ANY (ARRAY['m:held:%', 'm:frozen:%', 'm:fee_reserved:%', 'm:withdrawal_pending:%'])
          AND split_part(t.debit_account, ':', 3) <> t.subject)
        OR (t.credit_account LIKE ANY (ARRAY['m:held:%', 'm:frozen:%', 'm:fee_reserved:%', 'm:withdrawal_pending:%'])
          AND split_part(t.credit_account, ':', 3) <> t.subject))`,
};
