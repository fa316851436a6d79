/** Statements on currencies and rates. */
import { type Queryable, type Tx, type Row, sql } from '../base/pg/index.ts';
import { ptk, ptkDecimals } from '../base/money.ts';
import type { Currency, Rate } from './currency.ts';

export async function selectCurrency(db: Queryable, code: string): Promise<Currency | null> {
  const [row] = await db.query<Currency & Row>(
    sql`SELECT code, decimals, enabled, min_minor, max_minor FROM currencies WHERE code = ${code}`,
  );
  return row ?? null;
}

export function selectCurrencies(db: Queryable): Promise<Currency[]> {
  return db.query<Currency & Row>(
    sql`SELECT code, decimals, enabled, min_minor, max_minor FROM currencies ORDER BY code`,
  );
}

/** The decimal places of every currency, including PTK. */
export async function selectDecimals(db: Queryable): Promise<Map<string, number>> {
  const currencies = await selectCurrencies(db);
  return new Map([...currencies.map(({ code, decimals }) => [code, decimals] as const), [ptk, ptkDecimals]]);
}

/** Makes changes of a currency, and of its rate, wait for each other. */
export async function lockCurrency(tx: Tx, code: string): Promise<void> {
  await tx.query(sql`SELECT 1 AS locked FROM currencies WHERE code = ${code} FOR UPDATE`);
}

export async function upsertCurrency(tx: Tx, c: Currency): Promise<void> {
  await tx.query(
    sql`INSERT INTO currencies (code, decimals, enabled, min_minor, max_minor)
      VALUES (${c.code}, ${c.decimals}, ${c.enabled}, ${c.min_minor}, ${c.max_minor})
      ON CONFLICT (code) DO UPDATE SET decimals = excluded.decimals, enabled = excluded.enabled,
        min_minor = excluded.min_minor, max_minor = excluded.max_minor`,
  );
}

export async function selectRate(db: Queryable, currency: string): Promise<Rate | null> {
  const [row] = await db.query<Rate & Row>(
    sql`SELECT currency, price_e12, valid_until FROM rates WHERE currency = ${currency}`,
  );
  return row ?? null;
}

export function selectRates(db: Queryable): Promise<Rate[]> {
  return db.query<Rate & Row>(sql`SELECT currency, price_e12, valid_until FROM rates ORDER BY currency`);
}

export async function upsertRate(tx: Tx, r: Rate): Promise<void> {
  await tx.query(
    sql`INSERT INTO rates (currency, price_e12, valid_until)
      VALUES (${r.currency}, ${r.price_e12}, ${r.valid_until})
      ON CONFLICT (currency) DO UPDATE SET price_e12 = excluded.price_e12, valid_until = excluded.valid_until`,
  );
}
