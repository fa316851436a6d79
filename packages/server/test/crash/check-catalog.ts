import type { PaymentDetail } from './check-payment.ts';
import { type Bought, purchaseProblems, type Sold } from './check-purchase.ts';
import { type ShelfState, shelfProblems } from './check-shelf.ts';
import type { PurchaseRecord } from './purchase-record.ts';
import { inParallel } from './settle.ts';
import { codesOn } from './shelf.ts';
import { orderPage, ownerCall, type Shop } from './shop.ts';

/** Checks every purchase, and every product with all its sales. Returns the purchases. */
export async function checkCatalog(shop: Shop, sold: readonly Sold[]): Promise<Bought[]> {
  const { problems, purchases, shelf } = shop;
  const bought = await lookAt(shop, sold);
  for (const record of purchases) problems.push(...purchaseProblems(record, bought.filter(isOf(record))));
  for (const product of shelf) {
    const state = await stateOf(shop, product.gd_no);
    const orders = bought.filter((one) => one.sold.gd_no === product.gd_no);
    const wanted = purchases.filter((record) => record.product === product);
    problems.push(...shelfProblems(product, state, orders, wanted));
  }
  return bought;
}

const isOf =
  ({ request }: PurchaseRecord) =>
  ({ sold }: Pick<Bought, 'sold'>): boolean =>
    sold.other_ipu.reference === request.other_ipu.reference;

/** Each order as administrators and the buyer see it. Catalog orders have no notifications. */
async function lookAt(shop: Shop, sold: readonly Sold[]): Promise<Bought[]> {
  const { paydesk, problems, purchases, inbox } = shop;
  const bought: Bought[] = [];
  await inParallel(sold, async (order) => {
    const { order_no } = order;
    const record = purchases.find((one) => isOf(one)({ sold: order }));
    if (record === undefined) {
      problems.push(`no buyer ordered ${order_no}`);
      return;
    }
    const page = await orderPage(shop, record, order_no);
    if (page?.status !== 200) problems.push(`the page of ${order_no}: ${page?.text ?? 'no answer'}`);
    const { attempts, postings } = await paydesk.admin<PaymentDetail>('GET', `/catalog-orders/${order_no}`);
    if (inbox.versionsOf(order_no).size > 0) problems.push(`the merchant was told of ${order_no}`);
    bought.push({ sold: order, attempts, postings, codes: codesOn(page?.text ?? '') });
  });
  return bought;
}

async function stateOf(shop: Shop, gd_no: string): Promise<ShelfState> {
  const answer = await ownerCall<ShelfState>(shop, 'GET', `/products/${gd_no}/codes`);
  if (answer?.status !== 200) throw new Error(`the stock of ${gd_no}: ${answer?.text ?? 'no answer'}`);
  return answer.body;
}
