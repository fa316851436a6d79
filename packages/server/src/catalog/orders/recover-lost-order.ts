/** Makes a catalog order again that a restore has lost. */
import { decodeTime } from 'ulid';
import { AppError } from '../../base/errors.ts';
import type { CatalogRecovery } from '../../channels/card/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { selectClientsByIds } from '../../oauth/clients/index.ts';
import { totalOf } from '../../payments/quotes/index.ts';
import { selectProductForUpdate } from '../products/index.ts';
import { type BuildDeps, buildOrder, readConditions, storeOrder } from './create-order.ts';
import type { CatalogOrder } from './order.ts';

/** What is known of a lost order, and how its buyer has paid. */
export interface LostCatalogOrder extends CatalogRecovery {
  order_no: string;
  payment: { payment_no: string; amount: bigint | null; currency: string | null };
}

const ownNumber = /^co_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Makes an order again under its number and its time, at the price that the buyer has agreed to, with today's rate and
 * fees, and takes its stock (D-310). The buyer's inputs are lost. It is marked, so that no worker delivers it (D-311).
 *
 * Invariant: the order and its stock change in one transaction, and a number is used once. So the stock is taken once.
 *
 * @throws AppError that says why the order cannot be made again; nothing is stored then
 */
export async function recoverCatalogOrder(
  deps: BuildDeps,
  merchant_id: string,
  { order_no, payment, ...known }: LostCatalogOrder,
): Promise<CatalogOrder> {
  if (!ownNumber.test(order_no)) throw refusal('it has no number of this service');
  const number = order_no.slice(3);
  const at = new Date(decodeTime(number));
  if (at > deps.clock.now()) throw refusal('its number is of a time to come');
  const { user_id, client_id, gd_no, currency } = known;
  const [client] = await selectClientsByIds(deps.db, [client_id]);
  if (client?.merchant_id !== merchant_id) throw refusal('the client that ordered it is gone');
  if ((await selectPerson(deps.db, user_id)) === null) throw refusal('its buyer is gone');
  const buyer = { merchant_id, user_id, client_id };
  const past = {
    ...deps,
    clock: { now: () => at, real: () => deps.clock.real() },
    ids: { ...deps.ids, ulid: () => number },
  };
  const conditions = await readConditions(past, buyer, { currency }, payment);
  return deps.db.transaction(async (tx) => {
    const product = await selectProductForUpdate(tx, merchant_id, gd_no);
    if (product === null) throw refusal('its product is gone');
    const quantity = Number(known.quantity);
    if (product.in_stock < quantity) throw refusal('its product is out of stock');
    const total_amount = BigInt(known.total_minor);
    const agreed = { total_amount, discount_amount: BigInt(known.discount_minor) };
    const { order, quote } = await buildOrder(
      past,
      tx,
      buyer,
      product,
      { quantity, other_ipu: {}, agreed },
      conditions,
    );
    if (quote.currency !== payment.currency || totalOf(quote) !== payment.amount) {
      throw refusal('today’s rate and fees do not give what the buyer has paid');
    }
    await storeOrder(tx, order, quote);
    return order;
  });
}

const refusal = (why: string): AppError =>
  new AppError('payment_conflict', { description: `the order cannot be made again: ${why}` });
