import { type CsvColumn, csvHead, csvLines } from '../../base/csv.ts';
import { merchantNo, platformBook } from '../../base/ids.ts';
import { measuredClock } from '../../base/clocks/measured-clock.ts';
import { formatMinor } from '../../base/money.ts';
import { selectDecimals } from '../../currencies/index.ts';
import {
  aboutAccount,
  type AccountInSpan,
  selectTransferSums,
  type TransferSum,
  trialBalance,
} from '../../ledger/books/index.ts';
import { explain } from '../../ledger/explanation/index.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import { readSpan } from '../shared/read-time.ts';

/** An account, or the transfers of a posting between two accounts. */
type Line = (AccountInSpan & { row: 'account' }) | (TransferSum & { row: 'posting' });

/**
 * `paydesk trial-balance`: prints the accounts of the books in a span of time, and the postings that moved them, as CSV
 * (D-912).
 */
export function trialBalanceCommand({ options, flags, config }: CommandContext): Promise<number> {
  return withDatabase(
    config,
    'paydesk trial-balance',
    async (db) => {
      const span = readSpan(options, (await measuredClock(db)).now());
      const decimals = await selectDecimals(db);
      const sums = await selectTransferSums(db, span, flags.has('by-merchant'));
      const columns = columnsOf(decimals);
      const accounts = trialBalance(sums).map((one): Line => ({ row: 'account', ...one }));
      const posted = sums.filter(({ within }) => within).map((one): Line => ({ row: 'posting', ...one }));
      const file = csvHead(columns) + csvLines(columns, [...accounts, ...posted]);
      // `log` writes the line feed of the last line's end itself.
      console.log(file.replace(/\n$/, ''));
      return 0;
    },
    { statement_timeout_ms: 0 },
  );
}

/** Of both kinds of rows: a cell that a row does not have is empty. */
function columnsOf(decimals: ReadonlyMap<string, number>): CsvColumn<Line>[] {
  const amount = (name: string, of: (line: Line) => bigint | null): CsvColumn<Line> => [
    name,
    (line) => {
      const minor = of(line);
      return minor === null ? null : formatMinor(minor, decimals.get(line.currency) ?? 0);
    },
  ];
  const ofAccount = (name: 'opening' | 'debits' | 'credits' | 'closing') =>
    amount(name, (line) => (line.row === 'account' ? line[name] : null));
  return [
    ['row', ({ row }) => row],
    ['book', ({ book }) => bookName(book)],
    ['account', (line) => (line.row === 'account' ? line.account : null)],
    ['posting', (line) => (line.row === 'posting' ? line.posting : null)],
    ['debit', (line) => (line.row === 'posting' ? line.debit_account : null)],
    ['credit', (line) => (line.row === 'posting' ? line.credit_account : null)],
    ['currency', ({ currency }) => currency],
    ['test_mode', ({ test_mode }) => test_mode],
    ['side', (line) => (line.row === 'account' ? line.side : null)],
    ...(['opening', 'debits', 'credits', 'closing'] as const).map(ofAccount),
    amount('amount', (line) => (line.row === 'posting' ? line.amount : null)),
    ['transfers', (line) => (line.row === 'posting' ? line.transfers : null)],
    ['about', (line) => (line.row === 'account' ? aboutAccount(line.account) : wordsOf(explain(line)))],
  ];
}

const wordsOf = ({ why, what }: { why: string; what: string }): string => `${why} ${what}`;

const bookName = (book: string | null): string | null => {
  if (book === null) return null;
  return book === platformBook ? 'platform' : merchantNo(book);
};
