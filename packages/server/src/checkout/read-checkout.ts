import type { CheckoutState } from '@paydesk/checkout';
import { InvariantError } from '../base/errors.ts';
import type { CollectionDeps } from '../collection/orders/deps.ts';
import { userBalance } from '../ledger/books/read-balances.ts';
import { counts } from '../payments/attempts/attempt.ts';
import { feeToRaise } from '../payments/merchant-fees/fee-reservation.ts';
import { readFeeFunds } from '../payments/merchant-fees/fund-fees.ts';
import { readAttempts, readQuotes } from '../payments/read-attempts.ts';
import { checkoutState, type ShownOrder } from './checkout-view.ts';
import type { LogoUrl } from './logo-path.ts';

/** The person whose session came with the request. */
export interface Visitor {
  user_id: string;
  name: string;
}

export interface ReadCheckoutDeps extends Pick<CollectionDeps, 'db' | 'clock' | 'findMerchant' | 'channels'> {
  logoUrl: LogoUrl;
}

/**
 * Reads all that the buyer's page shows of an order; two round trips beside the order's own, and a third before a
 * payment through the merchant's own account, whose fee has to be raised first (D-069).
 */
export async function readCheckout(
  deps: ReadCheckoutDeps,
  order: ShownOrder,
  visitor: Visitor | null,
): Promise<CheckoutState> {
  const { merchant_id, order_no } = order;
  const [quotes, attempts, merchant, channels, logo_url, available_ptk] = await Promise.all([
    readQuotes(deps.db, merchant_id, order_no),
    readAttempts(deps.db, merchant_id, order_no),
    deps.findMerchant(merchant_id),
    deps.channels.of(merchant_id),
    deps.logoUrl(merchant_id),
    visitor === null ? 0n : userBalance(deps.db, visitor.user_id),
  ]);
  if (merchant === null) throw new InvariantError('an order without its merchant');
  const raises = !attempts.some(counts) && quotes.some((quote) => feeToRaise(quote) > 0n);
  const fee_funds = raises ? await readFeeFunds(deps.db, merchant_id) : null;
  return checkoutState({
    order,
    quotes,
    attempts,
    merchant,
    logo_url,
    channels,
    buyer: visitor === null ? null : { ...visitor, available_ptk },
    fee_funds,
    now: deps.clock.now(),
    real: deps.clock.real(),
  });
}
