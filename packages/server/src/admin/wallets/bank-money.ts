/** Reads amounts of money at a bank: in any currency except PTK. */
import type { Queryable } from '../../base/pg/index.ts';
import { type Currency, selectCurrencies } from '../../currencies/index.ts';
import type { BankMoney } from '../../ledger/wallets/index.ts';
import { invalid } from '../../base/errors.ts';
import { parseDecimal, ptk, toMinor } from '../../base/money.ts';

/** The ledger's columns hold amounts below this. */
export const amountLimit = 10n ** 38n;

/**
 * The money that was received for an amount of PTK; null if there was none.
 *
 * @throws AppError `invalid_request` on `paid.currency` or `paid.amount`
 */
export async function readPaid(
  db: Queryable,
  paid: { currency: string; amount: string } | undefined,
): Promise<BankMoney | null> {
  if (paid === undefined) return null;
  const currency = await readBankCurrency(db, 'paid.currency', paid.currency);
  return { currency: currency.code, minor: readPositive('paid.amount', paid.amount, currency) };
}

/** A currency of money at a bank: any except PTK. Throws `invalid_request` on `field`. */
export async function readBankCurrency(db: Queryable, field: string, code: string): Promise<Currency> {
  if (code === ptk) throw invalid(field, 'PTK is not a currency of a bank.');
  const currency = (await selectCurrencies(db)).find((known) => known.code === code);
  if (currency === undefined) throw invalid(field, 'The currency is unknown.');
  return currency;
}

/** A positive amount in minor units. Throws `invalid_request` on `field`. */
export function readPositive(field: string, text: string, currency: Currency): bigint {
  const minor = readAmount(text, currency);
  if (minor === null || minor === 0n) throw badAmount(field, 'positive', currency);
  return minor;
}

/** An amount in minor units that may be zero. Throws `invalid_request` on `field`. */
export function readNotNegative(field: string, text: string, currency: Currency): bigint {
  const minor = readAmount(text, currency);
  if (minor === null) throw badAmount(field, 'non-negative', currency);
  return minor;
}

function readAmount(text: string, { decimals }: Currency): bigint | null {
  const written = parseDecimal(text);
  const minor = written === null ? null : toMinor(written, decimals);
  return minor === null || minor >= amountLimit ? null : minor;
}

const badAmount = (field: string, sign: string, { decimals }: Currency) =>
  invalid(field, `The amount must be a ${sign} decimal string with at most ${decimals} decimal places.`);
