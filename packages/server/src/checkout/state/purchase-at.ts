/** Finds the purchase behind the address of a checkout, for the pages that a buyer visits before paying it. */
import type { Purchase } from '@paydesk/checkout';
import { AppError } from '../../base/errors.ts';
import { formatMinor } from '../../base/money.ts';
import { openCheckout } from '../link/open-checkout.ts';
import type { CheckoutDeps } from '../request/deps.ts';

const nobodySignedIn = () => Promise.resolve(null);

type Deps = Pick<CheckoutDeps, 'db' | 'clock' | 'ids' | 'log' | 'box' | 'findMerchant' | 'limiter'>;

/**
 * The order whose checkout a path opens, while it can be paid; null for every other path, and beyond the limit of reads.
 *
 * @param address of the browser, which the reads are counted for
 */
export function createPurchaseAt(deps: Deps, base_path: string) {
  const prefix = `${base_path}/checkout/`;
  return async (address: string, path: string): Promise<Purchase | null> => {
    if (!path.startsWith(prefix)) return null;
    const { pathname, searchParams } = new URL(path, 'http://paydesk.invalid');
    // Not decoded: a number needs no escapes, and the database takes no NUL (D-1338).
    const order_no = pathname.slice(prefix.length);
    const token = searchParams.get('token');
    if (token === null || order_no === '' || order_no.includes('/')) return null;
    try {
      await deps.limiter.take('checkout_read', address);
      // Before the sign-in, a top-up is not shown.
      const order = await openCheckout(deps, order_no, token, nobodySignedIn);
      if (order.status !== 'pending') return null;
      const merchant = await deps.findMerchant(order.merchant_id);
      return {
        merchant: merchant?.name ?? '',
        description: order.description === '' ? null : order.description,
        amount: formatMinor(order.amount_minor, order.currency_decimals),
        currency: order.currency,
      };
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return null;
      throw error;
    }
  };
}
