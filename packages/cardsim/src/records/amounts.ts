/**
 * Amounts are `bigint` minor units everywhere in the simulator. The provider’s JSON has integer numbers
 * instead. Only these functions convert between them.
 */

/** The largest amount that a JSON integer holds exactly. */
export const max_amount = BigInt(Number.MAX_SAFE_INTEGER);

// The provider’s lists (https://docs.stripe.com/currencies). They decide how an amount is displayed.
const zero_decimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const three_decimal = new Set('bhd jod kwd omr tnd'.split(' '));

/** The provider’s number of decimals of a currency (any case): 0, 2 or 3. */
export function decimalsOf(currency: string): number {
  const code = currency.toLowerCase();
  if (zero_decimal.has(code)) return 0;
  return three_decimal.has(code) ? 3 : 2;
}

/** The amount as a JSON integer. Requests with amounts above {@link max_amount} are rejected earlier. */
export function wireAmount(amount: bigint): number {
  if (amount > max_amount || amount < 0n)
    throw new RangeError(`Amount ${amount} does not fit a JSON integer`);
  return Number(amount);
}

/**
 * Reads a whole number of minor units from a form value or a JSON number; returns undefined for anything
 * else.
 */
export function parseAmount(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return undefined;
  const amount = BigInt(value);
  return amount <= max_amount ? amount : undefined;
}

/** The amount for display: `USD 1,234.50`, `JPY 500`, `KWD 1.250`. */
export function formatAmount(amount: bigint, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${currency.toUpperCase()} ${whole}${fraction}`;
}
