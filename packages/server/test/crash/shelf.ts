import { randomUUID } from 'node:crypto';
import { ownerCall, type Shop, untilAnswered } from './shop.ts';

/** A product with little stock. */
export interface Product {
  gd_no: string;
  /** How it is delivered: as a code, or by hand. */
  delivery: 'code' | 'by hand';
  /** How many there are known to have been put in stock. */
  stocked: number;
  /** Every code that was sent in, whether it was acknowledged or not. */
  codes: string[];
}

/** How many of a product that is delivered by hand there are in a round: a long one sells them out. */
const stockByHand = 40;
/** The number of codes in one upload. */
const codesAtOnce = 12;

/** Creates the products of a round: one that is delivered by hand, and one that is delivered as codes. */
export async function stockShelf(shop: Shop): Promise<Product[]> {
  const { admin } = shop.paydesk;
  const add = async (gd_name: string, in_stock: number): Promise<string> => {
    const { gd_no } = await admin<{ gd_no: string }>(
      'POST',
      `/merchants/${shop.platform.merchant_no}/products`,
      {
        ...{ gd_name, in_stock, currency: 'USD', actual_price: '725000000' },
        other_ipu_cnf: ['reference=Reference=true'],
      },
    );
    return gd_no;
  };
  const book = await add('Signed book', stockByHand);
  const card: Product = { gd_no: await add('Gift card', 0), delivery: 'code', stocked: 0, codes: [] };
  await restock(shop, card);
  return [{ gd_no: book, delivery: 'by hand', stocked: stockByHand, codes: [] }, card];
}

/** Brings more codes in; a call that was not answered is repeated to the letter, and adds them once. */
export async function restock(shop: Shop, product: Product): Promise<void> {
  const codes = Array.from({ length: codesAtOnce }, () => `CODE-${randomUUID()}`);
  product.codes.push(...codes);
  const { status, text } = await untilAnswered(
    shop,
    () => ownerCall(shop, 'POST', `/products/${product.gd_no}/codes`, { codes }),
    () => shop.counts.lost_reads++,
  );
  if (status === 201) product.stocked += codes.length;
  else shop.problems.push(`bringing codes in: ${status} ${text}`);
}

/** The codes that a page shows, each as often as it does. */
export const codesOn = (html: string): string[] => html.match(/CODE-[0-9a-f-]{36}/g) ?? [];
