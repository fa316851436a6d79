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

/** A currency, locked against other changes of it. */
export async function lockCurrency(tx: Tx, code: string): Promise<Currency | null> {
  const [row] = await tx.query<Currency & Row>(
    sql`SELECT code, decimals, enabled, min_minor, max_minor FROM currencies WHERE code = ${code} FOR UPDATE`,
  );
  return row ?? null;
}

/** Inserts a currency; false if it exists. Of two that are new at once, the second waits for the first (D-1199). */
export async function insertCurrency(tx: Tx, c: Currency): Promise<boolean> {
  const made = await tx.query(
    sql`INSERT INTO currencies (code, decimals, enabled, min_minor, max_minor)
      VALUES (${c.code}, ${c.decimals}, ${c.enabled}, ${c.min_minor}, ${c.max_minor})
      ON CONFLICT (code) DO NOTHING RETURNING 1 AS made`,
  );
  return made.length > 0;
}

export async function updateCurrency(tx: Tx, c: Currency): Promise<void> {
  await tx.query(
    sql`UPDATE currencies SET decimals = ${c.decimals}, enabled = ${c.enabled}, min_minor = ${c.min_minor},
        max_minor = ${c.max_minor}
      WHERE code = ${c.code}`,
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

/** A rate, locked against other changes of it. */
export async function lockRate(tx: Tx, currency: string): Promise<Rate | null> {
  const [row] = await tx.query<Rate & Row>(
    sql`SELECT currency, price_e12, valid_until FROM rates WHERE currency = ${currency} FOR UPDATE`,
  );
  return row ?? null;
}

/** Inserts a rate; false if its currency has one. Of two that are new at once, the second waits for the first (D-1199). */
export async function insertRate(tx: Tx, r: Rate): Promise<boolean> {
  const made = await tx.query(
    sql`INSERT INTO rates (currency, price_e12, valid_until)
      VALUES (${r.currency}, ${r.price_e12}, ${r.valid_until}) ON CONFLICT (currency) DO NOTHING RETURNING 1 AS made`,
  );
  return made.length > 0;
}

export async function updateRate(tx: Tx, r: Rate): Promise<void> {
  await tx.query(
    sql`UPDATE rates SET price_e12 = ${r.price_e12}, valid_until = ${r.valid_until} WHERE currency = ${r.currency}`,
  );
}
