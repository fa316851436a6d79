/** Reads and checks one line of the import of historical orders (docs/import.md). */
import { invalid } from '../../base/errors.ts';
import { readInstant } from '../../base/input/instant.ts';
import { parseReturnUrl } from '../../base/input/return-url.ts';
import { merchantIdOf } from '../../base/ids.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import { maxMinor, parseDecimal, ptk, ptkDecimals, toMinor } from '../../base/money.ts';
import { trimmed } from '../../base/input/trimmed.ts';
import type { CollectionOrder, OrderStatus } from '../orders/index.ts';

const statuses: readonly string[] = [
  'pending',
  'paid',
  'review',
  'expired',
  'refunded',
  'chargeback',
] satisfies OrderStatus[];

const isStatus = (text: string): text is OrderStatus => statuses.includes(text);

/** Statuses of orders whose payment was confirmed. */
const isConfirmed = (status: OrderStatus): boolean => ['paid', 'refunded', 'chargeback'].includes(status);

const known = new Set([
  'merchant_no',
  'order_no',
  'idempotency_key',
  'external_reference',
  'description',
  'amount',
  'currency',
  'currency_decimals',
  'status',
  'created_at',
  'expires_at',
  'return_url',
  'payment_no',
  'test_mode',
  'payment_currency',
  'payment_currency_decimals',
  'payment_amount',
  'buyer_fee',
  'merchant_fee',
  'merchant_fee_ptk',
  'gross_settlement_ptk',
  'settlement_ptk',
  'event_id',
  'provider_trade_no',
  'occurred_at',
]);

type Line = Record<string, JsonValue>;

/**
 * Reads one order of an older system from a line. Its fee status is `legacy` and both versions are 0 (R-031, R-043,
 * R-128, D-049). Amounts that the older system did not record stay null. A deadline beyond the current limit is kept
 * (R-194).
 *
 * @param line the parsed line
 * @param token_key_id the key from which its checkout address is derived
 * @param now times after this are refused
 * @throws AppError `invalid_request` that names the invalid member
 */
export function readHistoricalOrder(line: JsonValue, token_key_id: string, now: Date): CollectionOrder {
  if (!isJsonObject(line)) throw invalid('line', 'A line is one JSON object.');
  for (const name of Object.keys(line)) {
    // An unknown member may hold money or a state. Ignoring it would lose that data.
    if (!known.has(name)) throw invalid(name, `${name} is not a member of an order to import.`);
  }
  const order_no = identifier(line, 'order_no', 64);
  if (order_no.startsWith('co_'))
    throw invalid('order_no', 'Numbers that start with co_ belong to catalog orders.');
  const currency = currencyCode(line, 'currency');
  const currency_decimals = decimals(line, 'currency_decimals');
  if (currency === ptk && currency_decimals !== ptkDecimals) {
    throw invalid('currency_decimals', `PTK has ${ptkDecimals} decimals.`);
  }
  const amount_minor = amount(line, 'amount', currency_decimals);
  if (amount_minor < 1n || amount_minor > maxMinor) {
    throw invalid('amount', 'amount must be from 1 to 9007199254740991 minor units.');
  }
  const status = statusOf(line);
  return {
    merchant_id: merchantOf(line),
    order_no,
    idempotency_key:
      optional(line, 'idempotency_key', (name) => text(line, name, 128)) ?? `legacy:${order_no}`,
    external_reference: trimmedText(line, 'external_reference', 191),
    description: optional(line, 'description', (name) => trimmedText(line, name, 500)) ?? '',
    requested_payment_no: '',
    amount_minor,
    currency,
    currency_decimals,
    ...lifetime(line, now),
    return_url: optional(line, 'return_url', (name) => returnUrl(line, name)) ?? '',
    // Historical orders send no notifications.
    notify_mode: 'unspecified',
    notify_url: '',
    notify_secret_box: null,
    notify_secret_digest: null,
    token_key_id,
    status,
    status_version: 0,
    price_e12: 0n,
    hold_days: 0,
    fee_status: 'legacy',
    fee_version: 0,
    payment_no: optional(line, 'payment_no', (name) => identifier(line, name, 64)) ?? '',
    test_mode: optional(line, 'test_mode', (name) => flag(line, name)) ?? false,
    ...payment(line),
    ...settlement(line),
    ...confirmation(line, status, now),
    wallet_user_id: null,
  };
}

/**
 * Returns the members in which a stored order differs from a line. The status is compared only if it has not changed
 * since the import.
 */
export function differences(stored: CollectionOrder, line: CollectionOrder): string[] {
  const settled = new Set<string>([
    'token_key_id',
    ...(stored.status_version > 0 ? ['status', 'status_version'] : []),
  ]);
  return (Object.keys(line) as (keyof CollectionOrder)[]).filter(
    (name) => !settled.has(name) && plain(stored[name]) !== plain(line[name]),
  );
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);

function optional<T>(line: Line, name: string, read: (name: string) => T): T | null {
  return line[name] === undefined || line[name] === null ? null : read(name);
}

function text(line: Line, name: string, most: number): string {
  const value = line[name];
  if (typeof value !== 'string' || trimmed(value) === '' || Buffer.byteLength(value) > most) {
    throw invalid(name, `${name} must be a non-empty text of at most ${most} bytes.`);
  }
  return value;
}

/** Trims the text first, as a creation request does. */
function trimmedText(line: Line, name: string, most: number): string {
  const value = line[name];
  return text(typeof value === 'string' ? { [name]: trimmed(value) } : line, name, most);
}

const identifierForm = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

function identifier(line: Line, name: string, most: number): string {
  const value = text(line, name, most);
  if (!identifierForm.test(value)) {
    throw invalid(
      name,
      `${name} starts with a letter or digit; the rest is letters, digits and . _ : - only.`,
    );
  }
  return value;
}

function merchantOf(line: Line): string {
  const merchant_id = merchantIdOf(text(line, 'merchant_no', 100));
  if (merchant_id === null) throw invalid('merchant_no', 'merchant_no is not a merchant number.');
  return merchant_id;
}

function currencyCode(line: Line, name: string): string {
  const value = text(line, name, 10);
  if (!/^[A-Z]{3,10}$/.test(value)) throw invalid(name, `${name} must be an upper-case currency code.`);
  return value;
}

function decimals(line: Line, name: string): number {
  const value = line[name];
  if (typeof value !== 'number' || value < 0 || value > 8) {
    throw invalid(name, `${name} must be a whole number from 0 to 8.`);
  }
  return value;
}

function amount(line: Line, name: string, scale: number): bigint {
  const value = line[name];
  const decimal = typeof value === 'string' && value.length <= 30 ? parseDecimal(value) : null;
  const minor = decimal === null ? null : toMinor(decimal, scale);
  if (minor === null) {
    throw invalid(name, `${name} must be a decimal text with at most ${scale} digits after the point.`);
  }
  return minor;
}

/** Reads PTK at 8-decimal fixed point: digits only, as the API writes it. */
function fixedPoint(line: Line, name: string): bigint {
  const value = line[name];
  if (typeof value !== 'string' || !/^[0-9]{1,30}$/.test(value)) {
    throw invalid(
      name,
      `${name} must be an amount of PTK in its smallest unit (8 decimals), as a text of digits.`,
    );
  }
  return BigInt(value);
}

function flag(line: Line, name: string): boolean {
  const value = line[name];
  if (typeof value !== 'boolean') throw invalid(name, `${name} must be true or false.`);
  return value;
}

function returnUrl(line: Line, name: string): string {
  const value = trimmedText(line, name, 2_048);
  if (parseReturnUrl(value) === null) throw invalid(name, `${name} must be an absolute https address.`);
  return value;
}

function statusOf(line: Line): OrderStatus {
  const status = text(line, 'status', 20);
  if (!isStatus(status)) throw invalid('status', `status must be one of ${statuses.join(', ')}.`);
  return status;
}

function past(line: Line, name: string, now: Date): Date {
  const at = readInstant(name, text(line, name, 40));
  if (at > now) throw invalid(name, `${name} must not be in the future.`);
  return at;
}

/** The largest value of the column, about 68 years. */
const longest_s = 2_147_483_647;

/** Keeps the older system's lifetime, even beyond the current limit. */
function lifetime(line: Line, now: Date): Pick<CollectionOrder, 'created_at' | 'expires_at' | 'expires_in'> {
  const created_at = past(line, 'created_at', now);
  const expires_at = readInstant('expires_at', text(line, 'expires_at', 40));
  const expires_in = Math.round((expires_at.getTime() - created_at.getTime()) / 1_000);
  if (expires_in < 1 || expires_in > longest_s) {
    throw invalid('expires_at', 'expires_at must be after created_at, by at most 68 years.');
  }
  return { created_at, expires_at, expires_in };
}

/** Reads what the buyer paid. Values that the older system did not record are null. */
function payment(line: Line) {
  const payment_currency = optional(line, 'payment_currency', (name) => currencyCode(line, name));
  if (payment_currency === null) {
    for (const name of ['payment_currency_decimals', 'payment_amount', 'buyer_fee', 'merchant_fee']) {
      if (optional(line, name, () => true) !== null) throw invalid(name, `${name} needs a payment_currency.`);
    }
    const none = { payment_amount: null, buyer_fee: null, merchant_fee: null };
    return { payment_currency, payment_decimals: null, ...none };
  }
  const payment_decimals =
    payment_currency === ptk ? ptkDecimals : decimals(line, 'payment_currency_decimals');
  const recorded = (name: string): bigint | null =>
    optional(line, name, () => amount(line, name, payment_decimals));
  const payment_amount = recorded('payment_amount');
  const buyer_fee = recorded('buyer_fee');
  if (payment_amount !== null && buyer_fee !== null && buyer_fee > payment_amount) {
    throw invalid('buyer_fee', 'buyer_fee must not exceed payment_amount, which contains it.');
  }
  return {
    payment_currency,
    payment_decimals,
    payment_amount,
    buyer_fee,
    merchant_fee: recorded('merchant_fee'),
  };
}

/** Reads the amounts in PTK. An unknown amount is 0 (D-049). The net must be gross less fee. */
function settlement(line: Line) {
  const merchant_fee_ptk = optional(line, 'merchant_fee_ptk', (name) => fixedPoint(line, name)) ?? 0n;
  const gross_settlement_ptk = optional(line, 'gross_settlement_ptk', (name) => fixedPoint(line, name)) ?? 0n;
  const settlement_ptk = optional(line, 'settlement_ptk', (name) => fixedPoint(line, name));
  if (
    settlement_ptk !== null &&
    (settlement_ptk === 0n || settlement_ptk !== gross_settlement_ptk - merchant_fee_ptk)
  ) {
    throw invalid(
      'settlement_ptk',
      'settlement_ptk must be positive and equal gross_settlement_ptk less merchant_fee_ptk. Otherwise leave it out.',
    );
  }
  return { merchant_fee_ptk, gross_settlement_ptk, settlement_ptk };
}

/** A confirmed payment has an event and a time. Other orders have neither, and no trade number. */
function confirmation(line: Line, status: OrderStatus, now: Date) {
  if (!isConfirmed(status)) {
    for (const name of ['event_id', 'provider_trade_no', 'occurred_at']) {
      if (optional(line, name, () => true) !== null) {
        throw invalid(name, `${name} belongs to a confirmed payment, and the order is ${status}.`);
      }
    }
    return { event_id: null, provider_trade_no: null, occurred_at: null, occurred_at_text: null };
  }
  const occurred_at_text = text(line, 'occurred_at', 40);
  return {
    event_id: identifier(line, 'event_id', 64),
    provider_trade_no: optional(line, 'provider_trade_no', (name) => text(line, name, 255)),
    occurred_at: past(line, 'occurred_at', now),
    // Keeps the time zone of the line.
    occurred_at_text,
  };
}
