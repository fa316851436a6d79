/** Opens the order of a checkout link, which needs no API token (R-009, R-224, D-118). */
import { AppError } from '../../base/errors.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { CollectionDeps, CollectionOrder } from '../../collection/orders/index.ts';
import { readOrder } from '../../collection/reading/index.ts';
import { claimedMerchant, isTokenOf } from './checkout-token.ts';

const nobody = '00000000-0000-0000-0000-000000000000';

/** The merchant that a token claims, or an id that no merchant has: a look-up then costs the same for any token. */
export const claimedMerchantOrNobody = (token: string): string => claimedMerchant(token) ?? nobody;

/** Who is signed in where the link is opened. Asked only for a top-up. */
export type FindVisitor = () => Promise<{ user_id: string } | null>;

/**
 * The order that a checkout link opens. If its deadline has passed, it expires first. The link of a top-up
 * works only for the signed-in person whose wallet it fills, so that no one can be tricked into filling the wallet of
 * someone else (D-360). Every other order is open to anyone with its link, signed in or not (D-122), as long as it exists
 * (D-119).
 *
 * @throws AppError `payment_not_found`, with the same body and in the same time for an unknown order, a malformed token
 *   and a wrong one (R-224, D-118); also for the top-up of another person. `login_required` for a top-up without a
 *   signed-in person
 */
export async function openCheckout(
  deps: Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'> & { box: SecretBox },
  order_no: string,
  token: string,
  findVisitor: FindVisitor,
): Promise<CollectionOrder> {
  const merchant_id = claimedMerchantOrNobody(token);
  const order = await readOrder(deps, merchant_id, order_no).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'payment_not_found') return null;
    throw error;
  });
  const known = order ?? { merchant_id, order_no, token_key_id: deps.box.inner_key_id };
  const isRight = isTokenOf(deps.box, token, known);
  if (order === null || !isRight) throw new AppError('payment_not_found');
  if (order.wallet_user_id === null) return order;
  const visitor = await findVisitor();
  if (visitor === null) throw new AppError('login_required');
  if (visitor.user_id !== order.wallet_user_id) throw new AppError('payment_not_found');
  return order;
}
