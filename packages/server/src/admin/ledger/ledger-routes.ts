import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { createFigureCache } from '../../base/caches/figure-cache.ts';
import { selectDecimals } from '../../currencies/index.ts';
import {
  aboutAccount,
  growthOf,
  selectTransferPage,
  type TransferMark,
  type TransferRow,
} from '../../ledger/books/index.ts';
import {
  type AccountMark,
  type AccountRow,
  type Owed,
  readAccounts,
  readOwed,
} from '../../ledger/sums/index.ts';
import { explain } from '../../ledger/explanation/index.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { platformBook } from '../../base/ids.ts';
import { formatMinor } from '../../base/money.ts';
import { textIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { findMerchant } from '../request/merchant.ts';
import type { Listing } from '../request/request.ts';

/** Decimal places of each currency. */
type Decimals = ReadonlyMap<string, number>;

/** `GET /ledger/owed`; `GET /ledger/accounts` and `GET /ledger/entries`, for one merchant's book or the platform's own. */
export function ledgerRoutes(
  app: FastifyInstance,
  { db, clock, log }: Pick<AdminDeps, 'db' | 'clock' | 'log'>,
): void {
  const owedNow = createFigureCache<Owed>({ clock, log }, 1);

  app.get('/ledger/owed', async () => {
    const { as_of, figures } = await owedNow('', () => readOwed(db));
    return owedJson(as_of, figures);
  });

  app.get<Listing>('/ledger/accounts', async ({ query }) => {
    const { limit, after } = readPageRequest(query, isAccountKey);
    const accounts = await readAccounts(db, await bookIn(db, query), accountMarkOf(after), limit + 1);
    const decimals = await selectDecimals(db);
    return pageOf(
      accounts,
      limit,
      (account) => `${nameOf(account)} ${account.currency}`,
      (account) => accountJson(account, decimals),
    );
  });

  app.get<Listing>('/ledger/entries', async ({ query }) => {
    const { limit, after } = readPageRequest(query, isMark);
    const filter = { account: textIn(query, 'account'), subject: textIn(query, 'subject') };
    const book = await bookIn(db, query);
    const found = await selectTransferPage(
      db,
      book,
      filter,
      after === null ? null : markOf(after),
      limit + 1,
    );
    const decimals = await selectDecimals(db);
    return pageOf(found, limit, markText, (transfer) => entryJson(transfer, decimals));
  });
}

/** The book that `book` names, by default the platform's. Throws AppError `not_found`. */
async function bookIn(db: Queryable, query: Listing['Querystring']): Promise<string> {
  const book = textIn(query, 'book') ?? 'platform';
  if (book === 'platform') return platformBook;
  return (await findMerchant(db, book)).merchant_id;
}

const isAccountKey = (text: string): boolean => /^\S+ [A-Z]{3,10}$/.test(text);

/** An account with a stored balance has its order, withdrawal or case as the third part of its name. */
function accountMarkOf(key: string | null): AccountMark {
  const [name = '', currency = ''] = (key ?? ' ').split(' ', 2);
  const [, kind = name, ref = ''] = /^((?:m|susp):[^:]+):(.+)$/.exec(name) ?? [];
  return { kind, ref, currency };
}

const nameOf = ({ kind, ref }: AccountRow): string => (ref === '' ? kind : `${kind}:${ref}`);

/** Joins the parts of a cursor with line breaks: no part contains one. */
const markText = ({ subject, posting, case_key, leg }: TransferMark): string =>
  [subject, posting, case_key, String(leg)].join('\n');
const isMark = (text: string): boolean => /^[^\n]+\n\w+\n[^\n]*\n\d{1,4}$/.test(text);

function markOf(text: string): TransferMark {
  const [subject = '', posting = '', case_key = '', leg = ''] = text.split('\n');
  return { subject, posting, case_key, leg: Number(leg) };
}

function accountJson(row: AccountRow, decimals: Decimals) {
  const { currency } = row;
  const account = nameOf(row);
  const balance = row.stored || growthOf(account) === 'credit' ? row.balance : -row.balance;
  return {
    account,
    about: aboutAccount(account),
    currency,
    guarded: /^(m|susp):/.test(account),
    balance: formatMinor(balance, decimals.get(currency) ?? 0),
    balance_minor: balance.toString(),
  };
}

const ptkText = (amount: bigint): string => formatMinor(amount, 8);

const owedJson = (as_of: Date, { merchants, to_merchants, by_merchants, to_people }: Owed) => ({
  as_of: rfc3339(as_of),
  to_merchants: ptkText(to_merchants),
  by_merchants: ptkText(by_merchants),
  to_people: ptkText(to_people),
  accounts: merchants.map(({ account, balance }) => ({
    account,
    about: aboutAccount(account),
    amount: ptkText(balance),
  })),
});

const entryJson = (transfer: TransferRow, decimals: Decimals) => ({
  at: rfc3339(transfer.at),
  subject: transfer.subject,
  posting: transfer.posting,
  case_key: transfer.case_key,
  leg: transfer.leg,
  debit: transfer.debit_account,
  credit: transfer.credit_account,
  currency: transfer.currency,
  amount: formatMinor(transfer.amount, decimals.get(transfer.currency) ?? 0),
  amount_minor: transfer.amount.toString(),
  test_mode: transfer.test_mode,
  ...explain(transfer),
});
