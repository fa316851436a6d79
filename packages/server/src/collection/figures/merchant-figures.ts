/** The figures of single merchants, side by side, for administrators. Test orders do not count (D-219). */
import { formatMinor } from '../../base/money.ts';
import type { Database } from '../../base/pg/index.ts';
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
  volume: { currency: string; amount: string; orders: bigint }[];
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

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Adds up the orders of one merchant. */
export function merchantFigures(rows: readonly Outcomes[]): MerchantFigures {
  const of = (what: 'created' | 'confirmed' | 'charged_back'): bigint => sum(rows.map((row) => row[what]));
  const [created, paid, charged_back] = [of('created'), of('confirmed'), of('charged_back')];
  return {
    ...{ created, paid, charged_back },
    conversion: rateOf(paid, created),
    loss_rate: rateOf(charged_back, paid),
    volume: rows
      .filter((row) => row.paid > 0n)
      .map((row) => ({
        currency: row.currency,
        amount: formatMinor(row.paid_minor, row.currency_decimals),
        orders: row.paid,
      }))
      .sort((a, b) => a.currency.localeCompare(b.currency)),
  };
}
