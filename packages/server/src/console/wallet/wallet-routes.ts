import { walletAccounts } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../base/csv.ts';
import { invalid } from '../../base/errors.ts';
import { readPageRequest } from '../../base/input/list-page.ts';
import { ptkText } from '../../base/money.ts';
import { readTimeSpan } from '../../base/input/time-span.ts';
import { readTimeZone } from '../../base/time/zone-days.ts';
import { readMerchantBalances } from '../../ledger/books/index.ts';
import { merchantWalletJson } from '../../merchants/index.ts';
import { selectReleases } from '../../payments/holds/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';
import { type BalancedLine, isMark, readStatementPage } from './statement-page.ts';
import { readLanguage, type WalletAccount, wordsIn } from './wallet-line.ts';

/** Amounts have signs, so their sum is the change of the balance; `moved` has no sign. */
const columns: readonly CsvColumn<BalancedLine>[] = [
  ...(['line_id', 'at', 'what', 'why', 'about', 'subject', 'from', 'to'] as const),
  ['amount_ptk', ({ change_ptk }) => change_ptk],
  ['amount', ({ change_ptk }) => ptkText(change_ptk)],
  'balance_ptk',
  ['balance', ({ balance_ptk }) => ptkText(balance_ptk)],
  ['moved', ({ amount_ptk }) => ptkText(amount_ptk)],
  'test_mode',
  'posting',
  'what_code',
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
    const locale = readLanguage(query);
    const filter = { account: readAccount(query), booked: readTimeSpan(query) };
    const page = await readStatementPage(db, merchant_id, filter, readPageRequest(query, isMark));
    return { ...page, items: page.items.map((line) => wordsIn(locale, line)) };
  };
  listRoutes<ByMerchant & Listing, BalancedLine>(app, '/wallet/statement', load, {
    columns,
    admit: exportLimit({ ...deps, actorOf }),
  });
}

/** Reads `account`: null if none is named. Throws `invalid_request`. */
function readAccount({ account = '' }: Readonly<Record<string, unknown>>): WalletAccount | null {
  const known = walletAccounts.find((one) => one === account);
  if (account !== '' && known === undefined) {
    throw invalid('account', `account must be one of ${walletAccounts.join(', ')}.`);
  }
  return known ?? null;
}
