/** Reads everything that the buyer's page shows of an order. */
import type { CheckoutState, Locale } from '@paydesk/checkout';
import { InvariantError } from '../../base/errors.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';
import { readOrder } from '../../collection/reading/index.ts';
import { readUserBalance } from '../../ledger/books/index.ts';
import { selectMemberRole } from '../../merchants/index.ts';
import { counts, selectAttempts } from '../../payments/attempts/index.ts';
import { feeToReserve, readFeeFunds } from '../../payments/merchant-fees/index.ts';
import { selectQuotes } from '../../payments/quotes/index.ts';
import type { CheckoutDeps, CheckoutVisitor } from '../request/deps.ts';
import { checkoutState } from './checkout-state.ts';
import type { ShownOrder } from './shown-order.ts';

type ReadDeps = Pick<CheckoutDeps, 'db' | 'clock' | 'findMerchant' | 'channels' | 'logoUrl'>;

/**
 * The state of a collection order for its buyer's page. If a payment was committed after the order was read and before
 * its attempts were, the order is read again: the page would take the two together for a payment that is unclear
 * (D-353).
 */
export async function readOrderState(
  deps: ReadDeps & Pick<CheckoutDeps, 'ids' | 'log'>,
  order: CollectionOrder,
  visitor: CheckoutVisitor | null,
  locale: Locale,
): Promise<CheckoutState> {
  const state = await readCheckout(deps, order, visitor, locale);
  const isPaid = state.attempt?.state === 'paid' || state.attempt?.state === 'paid_late';
  if (!isPaid || !['pending', 'review', 'expired'].includes(order.status)) return state;
  const paid = await readOrder(deps, order.merchant_id, order.order_no);
  return readCheckout(deps, paid, visitor, locale);
}

/**
 * The state of an order for its buyer's page, with the balance of a signed-in buyer, who may be an owner of
 * the merchant (D-085, D-197). It only reads, so previewing a method stores nothing, and it asks no provider
 * (D-089). Two round trips besides the order's own. A third one before a payment through the merchant's own account: the
 * merchant must be able to pay its fee (D-069).
 */
export async function readCheckout(
  deps: ReadDeps,
  order: ShownOrder,
  visitor: CheckoutVisitor | null,
  locale: Locale,
): Promise<CheckoutState> {
  const { merchant_id, order_no } = order;
  const [quotes, attempts, merchant, channels, logo_url, available_ptk, role] = await Promise.all([
    selectQuotes(deps.db, merchant_id, order_no),
    selectAttempts(deps.db, merchant_id, order_no),
    deps.findMerchant(merchant_id),
    deps.channels.of(merchant_id),
    deps.logoUrl(merchant_id),
    visitor === null ? 0n : readUserBalance(deps.db, visitor.user_id),
    visitor === null ? null : selectMemberRole(deps.db, merchant_id, visitor.user_id),
  ]);
  if (merchant === null) throw new InvariantError('an order has no merchant');
  const isFeeDue = !attempts.some(counts) && quotes.some((quote) => feeToReserve(quote) > 0n);
  const fee_funds = isFeeDue ? await readFeeFunds(deps.db, merchant_id) : null;
  return checkoutState({
    order,
    quotes,
    attempts,
    merchant,
    logo_url,
    channels,
    buyer:
      visitor === null
        ? null
        : {
            ...visitor,
            available_ptk,
            is_owner: role === 'owner' || merchant.owner_user_id === visitor.user_id,
          },
    fee_funds,
    locale,
    now: deps.clock.now(),
    real: deps.clock.real(),
  });
}
