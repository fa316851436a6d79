import type { CheckoutState } from '@paydesk/checkout';
import { InvariantError } from '../../base/errors.ts';
import type { CollectionDeps } from '../../collection/orders/index.ts';
import { userBalance } from '../../ledger/books/index.ts';
import { counts, selectAttempts } from '../../payments/attempts/index.ts';
import { feeToRaise, readFeeFunds } from '../../payments/merchant-fees/index.ts';
import { selectQuotes } from '../../payments/quotes/index.ts';
import { checkoutState, type ShownOrder } from './checkout-state.ts';
import type { LogoUrl } from '../logos/logo-url.ts';

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
    selectQuotes(deps.db, merchant_id, order_no),
    selectAttempts(deps.db, merchant_id, order_no),
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
