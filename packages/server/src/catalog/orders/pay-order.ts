/** Starts the payment of a catalog order for its buyer's client. */
import type { ErrorCode } from '@paydesk/contract';
import { AppError } from '../../base/errors.ts';
import { counts, selectAttempts } from '../../payments/attempts/index.ts';
import type { PaymentDeps } from '../../payments/engine/index.ts';
import { startPayment } from '../../payments/starting/index.ts';
import { takeFromAppLimits } from './keep-app-limits.ts';
import { type CatalogOrder, isPayable } from './order.ts';
import { tradeNoOf } from './order-json.ts';

/** Returns the path of an order's page, with the prefix of the public address. */
export type OrderPage = (order_no: string) => string;

/** The contract's payment session. */
export interface PaymentSession {
  trade_no: string;
  /** The provider's page, or the order's own as a relative address. */
  redirect: string;
  /** Unix seconds. */
  expire_time: number;
}

/**
 * Starts or resumes the payment of a catalog order (R-361, D-179, D-180). PTK is debited at once. A card payment gets
 * a page at the provider. The payment engine allows at most one payment of an order, so a second start debits nothing
 * (R-362).
 *
 * @param order an order of the calling user
 * @param client_id the app that pays; the person's limits for it hold for PTK (D-234)
 * @returns the session; null if the provider has not answered yet (202)
 * @throws AppError `channel_unavailable` for a channel that is not the order's; `order_not_payable` if the order is
 *   paid, cancelled or expired, or its payment has ended; `app_limit_exceeded`; other errors of the engine
 */
export async function payOrder(
  deps: PaymentDeps,
  order: CatalogOrder,
  { payment_no, client_id }: { payment_no: string; client_id: string },
  orderPage: OrderPage,
): Promise<PaymentSession | null> {
  if (!isPayable(order)) throw new AppError('order_not_payable');
  if (payment_no !== order.payment_no) throw new AppError('channel_unavailable', { field: 'payment_no' });
  const { merchant_id, order_no, method_id, user_id } = order;
  const started = await startPayment(deps, {
    ...{ merchant_id, order_no, method_id, user_id },
    beforePtk: (tx, payment) => takeFromAppLimits(tx, { merchant_id, user_id, client_id }, payment),
  }).catch((error: unknown) => {
    throw asCatalogError(error);
  });
  if (started.kind === 'pending') return null;
  const attempts = await selectAttempts(deps.db, merchant_id, order_no);
  return {
    trade_no: tradeNoOf(attempts.filter(counts)),
    redirect: started.kind === 'redirect' ? started.redirect_url : orderPage(order_no),
    expire_time: Math.floor(order.expires_at.getTime() / 1_000),
  };
}

/** The catalog's error for each error of the engine. An order that cannot be paid is 422 (R-366, D-176). */
const inCatalogWords: Partial<Record<ErrorCode, ErrorCode>> = {
  payment_not_found: 'order_not_found',
  payment_conflict: 'order_not_payable',
  payment_expired: 'order_not_payable',
};

function asCatalogError(error: unknown): unknown {
  const code = error instanceof AppError ? inCatalogWords[error.code] : undefined;
  return code === undefined ? error : new AppError(code);
}
