import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { invalid } from '../../base/errors.ts';
import { lowestUuid, merchantIdOf, merchantNo } from '../../base/ids.ts';
import { days, later } from '../../base/time/clock.ts';
import { rankByVolume, readMerchantFigures } from '../../collection/figures/index.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { readBalancesOfMerchants } from '../../ledger/books/index.ts';
import { type Merchant, type MerchantFilter, selectMerchants } from '../../merchants/index.ts';
import { textIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type Listing } from '../request/request.ts';

/** The most merchants that are sorted by volume, because all of them are read for it. */
const most = 5_000;

/** `GET /merchant-figures`: volume, conversion, loss rate and holds of all merchants, side by side. */
export function merchantFigureRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, clock } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query, isUuid);
    const since = later(clock.now(), -days(readDays(query.days)));
    const text = textIn(query, 'q');
    const merchant_id = text === null ? null : merchantIdOf(text);
    const filter = { text, merchant_id, status: null, owner_user_id: null };
    const merchants =
      (readSort(query.sort) ? await byVolume(filter, since, after, limit + 1) : null) ??
      (await selectMerchants(db, after ?? lowestUuid, limit + 1, filter));
    const figuresOf = await readFigures(merchants.slice(0, limit), since);
    return pageOf(merchants, limit, ({ merchant_id }) => merchant_id, figuresOf);
  };

  /** The merchants after one of them, in the order of their volume (D-1036); null if there are too many. */
  async function byVolume(filter: MerchantFilter, since: Date, after: string | null, count: number) {
    const all = await selectMerchants(db, lowestUuid, most + 1, filter);
    if (all.length > most) return null;
    const ids = all.map(({ merchant_id }) => merchant_id);
    const ranked = await rankByVolume(db, ids, since, clock.now());
    const start = after === null ? 0 : ranked.indexOf(after) + 1;
    const of = new Map(all.map((merchant) => [merchant.merchant_id, merchant]));
    return ranked.slice(start, start + count).flatMap((id) => of.get(id) ?? []);
  }

  async function readFigures(merchants: readonly Merchant[], since: Date) {
    const ids = merchants.map(({ merchant_id }) => merchant_id);
    const [figures, balances] = await Promise.all([
      readMerchantFigures(db, ids, since),
      readBalancesOfMerchants(db, ids),
    ]);
    return ({ merchant_id, name }: Merchant) => {
      const { held_ptk = 0n, frozen_ptk = 0n, recovery_ptk = 0n } = balances.get(merchant_id) ?? {};
      return {
        merchant_no: merchantNo(merchant_id),
        merchant_name: name,
        ...figures.get(merchant_id),
        held_ptk: held_ptk.toString(),
        frozen_ptk: frozen_ptk.toString(),
        recovery_ptk: recovery_ptk.toString(),
      };
    };
  }

  type Figures = Awaited<ReturnType<typeof load>>['items'][number];
  listRoutes<Listing, Figures>(app, '/merchant-figures', load, {
    columns: [
      'merchant_no',
      'merchant_name',
      'created',
      'paid',
      'charged_back',
      'conversion',
      'loss_rate',
      ['volume', ({ volume }) => volume?.map(({ currency, amount }) => `${amount} ${currency}`).join('; ')],
      'held_ptk',
      'frozen_ptk',
      'recovery_ptk',
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });
}

/** Throws `invalid_request` on `days`. */
function readDays(value: unknown): number {
  if (value === undefined || value === '') return 30;
  const read = typeof value === 'string' && /^[0-9]{1,3}$/.test(value) ? Number(value) : 0;
  if (read < 1 || read > 366) throw invalid('days', 'A whole number from 1 to 366.');
  return read;
}

/** Whether the list is sorted by volume. Throws `invalid_request` on `sort`. */
function readSort(value: unknown = ''): boolean {
  if (value === '-volume') return true;
  if (value === '') return false;
  throw invalid('sort', 'sort must be -volume.');
}
