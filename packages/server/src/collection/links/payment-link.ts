/** A payment link: an address that makes one collection order for each visitor who continues to pay (D-222). */
import { AppError } from '../../base/errors.ts';
import { parseDecimal, toMinor } from '../../base/money.ts';

export interface PaymentLink {
  merchant_id: string;
  /** The last part of its address. */
  link: string;
  external_reference: string;
  description: string;
  currency: string;
  /** A decimal text; null if the visitor enters the amount. */
  amount: string | null;
  /** Bounds of an amount that the visitor enters; null without one. */
  min_amount: string | null;
  max_amount: string | null;
  return_url: string;
  /** How long an order can be paid, in seconds. */
  order_expires_in: number;
  /** Null without an end. */
  expires_at: Date | null;
  /** Null without a limit. */
  max_uses: number | null;
  /** The number of its orders, without those that expired unpaid once it has reached `max_uses`. */
  uses: number;
  created_by: string;
  created_at: Date;
  closed_at: Date | null;
}

export type LinkStatus = 'active' | 'closed' | 'expired' | 'used_up';

/** Whether a link makes orders at this time; if not, why. */
export function statusOfLink(link: PaymentLink, now: Date): LinkStatus {
  const { closed_at, expires_at } = link;
  if (closed_at !== null) return 'closed';
  if (expires_at !== null && expires_at <= now) return 'expired';
  return isTaken(link) ? 'used_up' : 'active';
}

/** How the idempotency keys of its orders begin. */
export const keysOf = ({ link }: Pick<PaymentLink, 'link'>): string => `link:${link}:`;

/** Whether the number of its uses is at its limit: orders that have expired meanwhile do not count. */
export const isTaken = ({ max_uses, uses }: PaymentLink): boolean => max_uses !== null && uses >= max_uses;

const randomBytes = 11;
const form = /^[A-Za-z0-9_-]{36}$/;

/** A new link of a merchant: the merchant's id, and random bytes that cannot be guessed. */
export function newLink(merchant_id: string, secret: (bytes: number) => string): string {
  const owner = Buffer.from(merchant_id.replaceAll('-', ''), 'hex');
  return Buffer.concat([owner, Buffer.from(secret(randomBytes), 'base64url')]).toString('base64url');
}

/** The merchant that a link claims, which finds the link's row and proves nothing. Null if the text is not a link. */
export function merchantOfLink(link: string): string | null {
  if (!form.test(link)) return null;
  const hex = Buffer.from(link, 'base64url').subarray(0, 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The bound that an entered amount breaks (D-511); null if it breaks none, or is not an amount. */
export function brokenBound(
  link: PaymentLink,
  entered: string | null,
  decimals: number,
): 'min_amount' | 'max_amount' | null {
  const minor = minorOf(entered, decimals);
  if (minor === null) return null;
  const [min, max] = [minorOf(link.min_amount, decimals), minorOf(link.max_amount, decimals)];
  if (min !== null && minor < min) return 'min_amount';
  return max !== null && minor > max ? 'max_amount' : null;
}

/**
 * The amount of a visit: the amount of the link, or the entered one, which must be within the link's bounds.
 *
 * @throws AppError `invalid_amount` outside of the bounds; its form and its precision are checked with the order
 */
export function amountOfVisit(link: PaymentLink, entered: string | null, decimals: number): string {
  if (link.amount !== null) return link.amount;
  if (brokenBound(link, entered, decimals) !== null) {
    throw new AppError('invalid_amount', {
      field: 'amount',
      description: 'The amount is outside the bounds of the link.',
    });
  }
  return entered ?? '';
}

function minorOf(text: string | null, decimals: number): bigint | null {
  const value = text === null ? null : parseDecimal(text);
  return value === null ? null : toMinor(value, decimals);
}
