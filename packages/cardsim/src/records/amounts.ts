/**
 * Amounts are `bigint` minor units everywhere in the simulator. Only the wire differs: the provider's JSON
 * carries them as integer numbers, so these functions are the one place where the two meet.
 */

/** The largest amount that a JSON integer carries exactly. */
export const max_amount = BigInt(Number.MAX_SAFE_INTEGER);

// The provider's own lists (https://docs.stripe.com/currencies): they decide how an amount is shown.
const zero_decimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const three_decimal = new Set('bhd jod kwd omr tnd'.split(' '));

/** How many decimals the provider gives a currency (any case): 0, 2 or 3. */
export function decimalsOf(currency: string): number {
  const code = currency.toLowerCase();
  if (zero_decimal.has(code)) return 0;
  return three_decimal.has(code) ? 3 : 2;
}

/** The amount as a JSON integer; amounts beyond {@link max_amount} were refused where they came in. */
export function wireAmount(amount: bigint): number {
  if (amount > max_amount || amount < 0n) throw new RangeError(`Amount ${amount} does not fit the wire`);
  return Number(amount);
}

/** A whole number of minor units from a form value or a JSON number; anything else is `undefined`. */
export function parseAmount(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) return undefined;
  const amount = BigInt(value);
  return amount <= max_amount ? amount : undefined;
}

/** For people: `USD 1,234.50`, `JPY 500`, `KWD 1.250`. */
export function formatAmount(amount: bigint, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${currency.toUpperCase()} ${whole}${fraction}`;
}
