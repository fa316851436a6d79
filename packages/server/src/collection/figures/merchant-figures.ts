/** The figures of single merchants, side by side, for administrators. Test orders do not count (D-219). */
import type { Database } from '../../base/pg/index.ts';
import { priceAt, type Rate, selectRates, toPtk } from '../../currencies/index.ts';
import { type Volume, volumeOf } from './figures.ts';
import { rateOf } from './rate.ts';
import { type Outcomes, selectMerchantOutcomes } from './progress-sums.sql.ts';

export interface MerchantFigures {
  /** Orders created in the period. */
  created: bigint;
  /** The created orders whose payment was confirmed, including payments that were returned later. */
  paid: bigint;
  /** The created orders that the buyer's bank charged back. */
  charged_back: bigint;
  /** `paid` of `created`, as a decimal of four places; null without orders. */
  conversion: string | null;
  /** `charged_back` of `paid`; null without payments. */
  loss_rate: string | null;
  /** The invoices that are still paid, by currency. */
  volume: Volume[];
}

/** The figures of these merchants, of orders that were created since then. */
export async function readMerchantFigures(
  db: Database,
  merchant_ids: readonly string[],
  since: Date,
): Promise<Map<string, MerchantFigures>> {
  const rows = await selectMerchantOutcomes(db, merchant_ids, since, db.isDistributed !== true);
  return new Map(
    merchant_ids.map((id) => [id, merchantFigures(rows.filter(({ merchant_id }) => merchant_id === id))]),
  );
}

/**
 * Sorts merchants by the volume of their figures, the largest first (D-1036). Currencies cannot be compared with each other, so each
 * counts in PTK at the price of today, and without a price not at all.
 */
export async function rankByVolume(
  db: Database,
  merchant_ids: readonly string[],
  since: Date,
  now: Date,
): Promise<string[]> {
  const [rows, rates] = await Promise.all([
    selectMerchantOutcomes(db, merchant_ids, since, db.isDistributed !== true),
    selectRates(db),
  ]);
  const volumes = volumesInPtk(rows, rates, now);
  const volumeOf = (merchant_id: string): bigint => volumes.get(merchant_id) ?? 0n;
  return [...merchant_ids].sort(
    (a, b) => Number(volumeOf(b) > volumeOf(a)) - Number(volumeOf(b) < volumeOf(a)),
  );
}

/** The volume of each merchant in PTK at the prices of now. Pure. */
export function volumesInPtk(
  rows: readonly (Pick<Outcomes, 'currency' | 'currency_decimals' | 'paid_minor'> & {
    merchant_id: string;
  })[],
  rates: readonly Rate[],
  now: Date,
): ReadonlyMap<string, bigint> {
  const volumes = new Map<string, bigint>();
  for (const { merchant_id, currency, currency_decimals, paid_minor } of rows) {
    const price_e12 = priceAt(currency, rates.find((rate) => rate.currency === currency) ?? null, now);
    if (price_e12 === null) continue;
    const more = toPtk(paid_minor, currency_decimals, price_e12);
    volumes.set(merchant_id, (volumes.get(merchant_id) ?? 0n) + more);
  }
  return volumes;
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Adds up the orders of one merchant. */
export function merchantFigures(rows: readonly Outcomes[]): MerchantFigures {
  const of = (what: 'created' | 'confirmed' | 'charged_back'): bigint => sum(rows.map((row) => row[what]));
  const [created, paid, charged_back] = [of('created'), of('confirmed'), of('charged_back')];
  return {
    ...{ created, paid, charged_back },
    conversion: rateOf(paid, created),
    loss_rate: rateOf(charged_back, paid),
    volume: volumeOf(
      rows
        .filter((row) => row.paid > 0n)
        .map(({ paid_minor, paid: orders, ...row }) => ({ ...row, amount_minor: paid_minor, orders })),
    ),
  };
}
