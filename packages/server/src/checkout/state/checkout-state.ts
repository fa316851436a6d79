/**
 * The state that the buyer's page shows, computed from what was read. It holds nothing of the merchant's fees or
 * settlement.
 */
import type { CheckoutAttempt, CheckoutState } from '@paydesk/checkout';
import { rfc3339 } from '../../base/time/clock.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import { daysUntilDecided } from '../../channels/index.ts';
import { type Attempt, counts, effectiveState } from '../../payments/attempts/index.ts';
import { versionOf } from '../../collection/watching/index.ts';
import { type MethodFacts, shownMethods } from './shown-methods.ts';
import { shownPaidWith, shownWait } from './shown-names.ts';
import type { ShownOrder } from './shown-order.ts';

/** What the state is computed from. */
export interface CheckoutFacts extends MethodFacts {
  order: ShownOrder;
  attempts: readonly Attempt[];
  /** The address of the merchant's logo on our own origin; null if there is none. */
  logo_url: string | null;
  now: Date;
  real: Date;
}

/**
 * The order with merchant, description, both references, invoice and countdown by the server's clock, and its
 * methods. Only the signed-in buyer sees a balance. Pure, so a preview stores nothing.
 */
export function checkoutState(facts: CheckoutFacts): CheckoutState {
  const { order, merchant, logo_url, buyer, attempts, now } = facts;
  const attempt = attempts.find(counts);
  const paid = order.status === 'paid';
  return {
    order_no: order.order_no,
    merchant: {
      name: merchant.name,
      logo_url,
      website_url: merchant.website_url === '' ? null : merchant.website_url,
      contact: merchant.contact === '' ? null : merchant.contact,
    },
    description: order.description === '' ? null : order.description,
    external_reference: order.external_reference,
    amount: formatMinor(order.amount_minor, order.currency_decimals),
    currency: order.currency,
    currency_decimals: order.currency_decimals,
    status: order.status,
    expires_at: rfc3339(order.expires_at),
    seconds_left: Math.max(0, Math.ceil((order.expires_at.getTime() - now.getTime()) / 1_000)),
    test_mode: order.test_mode,
    attempt: attempt === undefined ? null : shownAttempt(attempt, facts),
    buyer:
      buyer === null
        ? null
        : { name: buyer.name, ptk_available: formatMinor(buyer.available_ptk, ptkDecimals) },
    methods: shownMethods(facts, attempt),
    // Only a paid order shows the way back, as it was stored.
    ...(paid && order.return_url !== '' ? { return_url: order.return_url } : {}),
    ...(order.currency === ptk || order.price_e12 === 0n ? {} : { ptk_price: priceText(order.price_e12) }),
    occurred_at: order.occurred_at_text,
    ...versionIn(facts),
  };
}

/** The version from which the page's event stream continues. The attempts come newest first. */
function versionIn({ order, attempts }: CheckoutFacts): { version?: string } {
  const { status_version, payment_no } = order;
  if (status_version === undefined || payment_no === undefined) return {};
  const states = attempts.map(({ state }) => state).reverse();
  return { version: versionOf({ status_version, payment_no, attempts: states.join(' ') }) };
}

function shownAttempt(
  attempt: Attempt,
  { real, locale }: Pick<CheckoutFacts, 'real' | 'locale'>,
): CheckoutAttempt {
  const { method_id, detail } = attempt;
  const { paid_with } = detail;
  const state = effectiveState(attempt, real);
  const days = state === 'processing' && paid_with !== undefined ? daysUntilDecided(paid_with.type) : null;
  return {
    state,
    method_id,
    ...(paid_with === undefined ? {} : { paid_with: shownPaidWith(paid_with, locale) }),
    ...shownWait(days, locale),
  };
}

/** The locked price of 1 PTK as a decimal string without trailing zeros. */
function priceText(price_e12: bigint): string {
  return formatMinor(price_e12, 12).replace(/\.?0+$/, '');
}
