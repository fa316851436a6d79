import type { Database } from '../base/pg/index.ts';
import type { LiveCache } from '../base/caches/live-cache.ts';
import type { Currency, Rate } from './currency.ts';
import { selectCurrency, selectRate } from './currency.sql.ts';

/** The current currencies and rates, cached. */
export interface Currencies {
  currency(code: string): Promise<Currency | null>;
  rate(code: string): Promise<Rate | null>;
}

export function createCurrencies(db: Database, cache: LiveCache): Currencies {
  return {
    currency: cache.keyed((code: string) => selectCurrency(db.lookups, code)),
    rate: cache.keyed((code: string) => selectRate(db.lookups, code)),
  };
}
