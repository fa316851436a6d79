import { randomUUID } from 'node:crypto';
import { ownerCall, type Shop, untilAnswered } from './shop.ts';

/** Something to buy, of which there is little. */
export interface Product {
  gd_no: string;
  /** How it reaches its buyer: as a code, or as its merchant says. */
  delivery: 'code' | 'by hand';
  /** How many there are known to have been put in stock. */
  stocked: number;
  /** Every code that was sent in, whether it was acknowledged or not. */
  codes: string[];
}

/** How many of a product that is delivered by hand there are in a round: a long one sells them out. */
const stockByHand = 40;
/** How many codes come in at once. */
const codesAtOnce = 12;

/** Puts the products of a round up for sale: one that is delivered by hand, and one of which each is a code. */
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
