/**
 * A statement as CSV: the opening balance, every line, the closing balance, what the
 * net is made of, and the totals of each account.
 */
import type { Locale } from '@paydesk/checkout';
import { ledgerTexts } from '@paydesk/checkout/ledger-texts';
import { type CsvColumn, csvHead, csvLines } from '../../base/csv.ts';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import type { StatementPart } from './statement-parts.ts';
import type { Statement, StatementLine } from './statement.ts';
import { wordsIn } from './wallet-line.ts';

interface Row {
  row: 'opening' | 'line' | 'closing' | 'incoming' | 'outgoing' | 'net' | 'part' | 'account';
  at?: string;
  change?: bigint;
  balance?: bigint;
  account?: string;
  part?: StatementPart;
  what?: string;
  line?: StatementLine['line'];
}

const ptk = (units: bigint | undefined): string =>
  units === undefined ? '' : formatMinor(units, ptkDecimals);

/** The names of columns, and codes, are the same in every language: programs read them (D-495). */
const columns: readonly CsvColumn<Row>[] = [
  'row',
  'at',
  ['what', ({ line, what }) => line?.what ?? what],
  ['why', ({ line }) => line?.why],
  ['about', ({ line }) => line?.about],
  ['subject', ({ line }) => line?.subject],
  ['from', ({ line }) => line?.from],
  ['to', ({ line }) => line?.to],
  // Without a sign: also what moved between the merchant's own accounts.
  ['moved', ({ line }) => ptk(line === undefined ? undefined : BigInt(line.amount_ptk))],
  ['change', ({ change }) => ptk(change)],
  ['balance', ({ balance }) => ptk(balance)],
  'account',
  ['test_mode', ({ line }) => line?.test_mode],
  ['line_id', ({ line }) => line?.line_id],
  ['posting', ({ line }) => line?.posting],
  ['what_code', ({ line, part }) => line?.what_code ?? part],
];

/** @param locale the language of `what` and `why` */
export async function* statementCsv(statement: Statement, locale: Locale): AsyncGenerator<string> {
  const { period, opening } = statement;
  const first: Row = { row: 'opening', at: rfc3339(period.from), balance: opening };
  yield csvHead(columns) + csvLines(columns, [first]);
  for await (const lines of statement.lines) {
    yield csvLines(
      columns,
      lines.map(({ line, change, balance }): Row => ({
        ...{ row: 'line', at: line.at, line: wordsIn(locale, line), change, balance },
      })),
    );
  }
  const { incoming, outgoing, closing, parts, accounts } = statement.sums();
  const at = rfc3339(period.to);
  yield csvLines(columns, [
    { row: 'closing', at, balance: closing },
    { row: 'incoming', change: incoming },
    { row: 'outgoing', change: -outgoing },
    { row: 'net', change: incoming - outgoing },
    ...parts.map(({ part, change }): Row => {
      return { row: 'part', what: ledgerTexts[locale][`statement_part_${part}`], part, change };
    }),
    ...accounts.map((one): Row => {
      return {
        row: 'account',
        account: one.account,
        change: one.closing - one.opening,
        balance: one.closing,
      };
    }),
  ]);
}
