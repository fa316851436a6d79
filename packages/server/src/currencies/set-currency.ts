/** Changes of currencies and rates by administrators. They never change an existing order. */
import type { Tx } from '../base/pg/index.ts';
import { invalid } from '../base/errors.ts';
import { ptk } from '../base/money.ts';
import { checkCurrency, type Currency, type Rate } from './currency.ts';
import {
  insertCurrency,
  insertRate,
  lockCurrency,
  lockRate,
  updateCurrency,
  updateRate,
} from './currency.sql.ts';

/** A setting before and after a change, for the audit log. */
export interface Change<T> {
  before: T | null;
  after: T;
}

/** Creates or changes a currency and its limits (D-040). Existing orders keep their precision. */
export async function setCurrency(tx: Tx, currency: Currency): Promise<Change<Currency>> {
  const after = checkCurrency(currency);
  if (await insertCurrency(tx, after)) return { before: null, after };
  const before = await lockCurrency(tx, after.code);
  await updateCurrency(tx, after);
  return { before, after };
}

/** Sets the price of 1 PTK in a currency (D-057). Existing orders keep their price. */
export async function setRate(tx: Tx, rate: Rate): Promise<Change<Rate>> {
  if (rate.currency === ptk) throw invalid('code', 'PTK needs no rate: its price is always 1.');
  if (await insertRate(tx, rate)) return { before: null, after: rate };
  const before = await lockRate(tx, rate.currency);
  await updateRate(tx, rate);
  return { before, after: rate };
}
