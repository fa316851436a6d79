/** Opens the order of a checkout link, which needs no API token (R-009, R-224, D-118). */
import { AppError } from '../../base/errors.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { CollectionDeps, CollectionOrder } from '../../collection/orders/index.ts';
import { readOrder } from '../../collection/reading/index.ts';
import { claimedMerchant, isTokenOf } from './checkout-token.ts';

const nobody = '00000000-0000-0000-0000-000000000000';

/** The merchant that a token claims, or an id that no merchant has: a look-up then costs the same for any token. */
export const claimedMerchantOrNobody = (token: string): string => claimedMerchant(token) ?? nobody;

/**
 * The order that a checkout link opens. If its deadline has passed, it expires first.
 *
 * @throws AppError `payment_not_found`, with the same body and in the same time for an unknown order, a malformed token
 *   and a wrong one (R-224, D-118)
 */
export async function openCheckout(
  deps: Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'> & { box: SecretBox },
  order_no: string,
  token: string,
): Promise<CollectionOrder> {
  const merchant_id = claimedMerchantOrNobody(token);
  const order = await readOrder(deps, merchant_id, order_no).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'payment_not_found') return null;
    throw error;
  });
  const known = order ?? { merchant_id, order_no, token_key_id: deps.box.inner_key_id };
  const isRight = isTokenOf(deps.box, token, known);
  if (order === null || !isRight) throw new AppError('payment_not_found');
  return order;
}
