import { walletAccounts } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../../base/time/clock.ts';
import type { CsvColumn } from '../../base/csv.ts';
import { readInstant } from '../../base/input/decode.ts';
import { invalid } from '../../base/errors.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { ptkText } from '../../base/money.ts';
import { readTimeSpan } from '../../base/input/time-span.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import {
  readMerchantBalances,
  selectStatement,
  type StatementFilter,
  type StatementMark,
} from '../../ledger/books/index.ts';
import { merchantWalletJson } from '../../merchants/index.ts';
import { selectReleases } from '../../payments/holds/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';
import { walletLine } from './wallet-line.ts';

type Line = ReturnType<typeof walletLine>;

const columns: readonly CsvColumn<Line>[] = [
  ...(['line_id', 'at', 'what', 'why', 'about', 'subject', 'from', 'to', 'amount_ptk'] as const),
  ['amount', ({ amount_ptk }) => ptkText(amount_ptk)],
  'test_mode',
];

/** A merchant's wallet: its balances, its coming releases, and its statement. */
export function walletRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db } = deps;

  app.get<ByMerchant>('/wallet', async (request) => {
    const { merchant } = memberOf(request);
    return merchantWalletJson(merchant, await readMerchantBalances(db, merchant.merchant_id));
  });

  app.get<ByMerchant & Listing>('/wallet/releases', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const time_zone = readTimeZone(request.query.time_zone);
    const [releases, { frozen_ptk }] = await Promise.all([
      selectReleases(db, merchant_id, time_zone),
      readMerchantBalances(db, merchant_id),
    ]);
    const items = releases.map(({ day, orders, amount_ptk }) => ({
      day,
      orders: Number(orders),
      amount_ptk: amount_ptk.toString(),
    }));
    return { time_zone, items, frozen_ptk: frozen_ptk.toString() };
  });

  const load = async (request: Request, query: Listing['Querystring']) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(query, isMark);
    const behind = after === null ? null : markOf(after);
    const lines = await selectStatement(db, merchant_id, readStatementFilter(query), behind, limit + 1);
    return pageOf(lines, limit, markText, walletLine);
  };
  listRoutes<ByMerchant & Listing, Line>(app, '/wallet/statement', load, {
    columns,
    admit: exportLimit({ ...deps, actorOf }),
  });
}

/** Reads `account`, `from` and `to`. Throws `invalid_request`. */
function readStatementFilter(query: Readonly<Record<string, unknown>>): StatementFilter {
  const { account = '' } = query;
  const known = walletAccounts.find((one) => one === account);
  if (account !== '' && known === undefined) {
    throw invalid('account', `account is one of ${walletAccounts.join(', ')}.`);
  }
  return { account: known === undefined ? null : `m:${known}`, booked: readTimeSpan(query) };
}

/** Joins the parts of a cursor with line breaks: no part contains one. */
const markText = ({ at, subject, posting, case_key, leg }: StatementMark): string =>
  [rfc3339(at), subject, posting, case_key, leg].join('\n');

const isMark = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\n[^\n]+\nP\w+\n[^\n]*\n\d{1,4}$/.test(text);

function markOf(text: string): StatementMark {
  const [at = '', subject = '', posting = '', case_key = '', leg = ''] = text.split('\n');
  return { at: readInstant('cursor', at), subject, posting, case_key, leg: Number(leg) };
}
