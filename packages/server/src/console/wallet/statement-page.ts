/**
 * The statement of a merchant's wallet, or of one of its accounts, page by page, newest first. Invariant: each line's
 * balance is the balance of the line before it plus its change, and the last balance is the wallet's (D-282).
 */
import type { TimeSpan } from '../../base/input/time-span.ts';
import { readInstant } from '../../base/input/instant.ts';
import { type Page, type PageRequest, pageOf } from '../../base/input/list-page.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import {
  selectStatement,
  selectStatementStart,
  selectTestSubjects,
  type StatementMark,
  type StatementTotals,
  type TransferRow,
} from '../../ledger/books/index.ts';
import { partsOf } from './statement-parts.ts';
import { changeOf, walletLine, type WalletAccount } from './wallet-line.ts';

export type BalancedLine = ReturnType<typeof walletLine> & { balance_ptk: string };

export interface StatementPage extends Page<BalancedLine> {
  /** Of all pages; only the first page has it. */
  summary?: ReturnType<typeof summaryJson>;
}

/**
 * Reads a page. Amounts in PTK, 8-decimal fixed point; debts count as negative.
 *
 * @param account shows the movements on this account and its balance; null: of all accounts of the merchant
 */
export async function readStatementPage(
  db: Queryable,
  merchant_id: string,
  { account, booked }: { account: WalletAccount | null; booked: TimeSpan },
  { limit, after }: PageRequest,
): Promise<StatementPage> {
  const filter = { account: account === null ? null : `m:${account}`, booked };
  const page = async (transfers: readonly TransferRow[], closing: bigint): Promise<Page<BalancedLine>> => {
    const subjects = transfers.map(({ subject }) => subject);
    const tests = await selectTestSubjects(db, merchant_id, subjects);
    return pageOf(withBalances(transfers, closing, account), limit, markText, ({ transfer, balance }) => ({
      ...walletLine(transfer, tests.has(transfer.subject), account),
      balance_ptk: balance.toString(),
    }));
  };
  if (after !== null) {
    const { mark, balance } = markOf(after);
    return page(await selectStatement(db, merchant_id, filter, mark, limit + 1), balance);
  }
  const { transfers, totals } = await selectStatementStart(db, merchant_id, filter, limit + 1);
  return { ...(await page(transfers, totals.closing)), summary: summaryJson(totals) };
}

interface Balanced {
  transfer: TransferRow;
  change: bigint;
  /** After this line. */
  balance: bigint;
}

/**
 * The lines of a statement, newest first, each with the balance after it.
 *
 * @param closing the balance after the first of them
 */
function withBalances(
  transfers: readonly TransferRow[],
  closing: bigint,
  account: WalletAccount | null,
): Balanced[] {
  let balance = closing;
  return transfers.map((transfer) => {
    const line = { transfer, change: changeOf(transfer, account), balance };
    balance -= line.change;
    return line;
  });
}

function summaryJson({ closing, net, by_posting }: StatementTotals) {
  const parts = by_posting === null ? null : partsOf(by_posting);
  return {
    opening_ptk: (closing - net).toString(),
    net_ptk: net.toString(),
    closing_ptk: closing.toString(),
    ...(parts !== null && {
      parts: parts.map(({ part, change }) => ({ part, change_ptk: change.toString() })),
    }),
  };
}

/**
 * Joins the parts of a cursor with line breaks: no part contains one. The last part is the balance with which the next
 * page continues, so that no page adds up the ones before it.
 */
const markText = ({ transfer, change, balance }: Balanced): string => {
  const { at, subject, posting, case_key, leg } = transfer;
  return [rfc3339(at), subject, posting, case_key, leg, balance - change].join('\n');
};

/** Whether a text is the mark of a page. */
export const isMark = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n[^\n]+\nP\w+\n[^\n]*\n\d{1,4}\n-?\d{1,40}$/.test(text);

function markOf(text: string): { mark: StatementMark; balance: bigint } {
  const [at = '', subject = '', posting = '', case_key = '', leg = '', balance = ''] = text.split('\n');
  const mark = { at: readInstant('cursor', at), subject, posting, case_key, leg: Number(leg) };
  return { mark, balance: BigInt(balance) };
}
