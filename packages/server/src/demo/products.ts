/** The catalog of the demo merchant. */
import type { Tx } from '../base/pg/index.ts';
import { createProduct } from '../catalog/products/index.ts';
import type { IdSource } from '../base/ids.ts';

const usd = (cents: bigint): bigint => cents * 1_000_000n;

/** The products of Lantern Books: a plain one, one with wholesale prices, and one with extra input fields. */
const products = [
  {
    gd_name: 'Reading lamp “Firefly”',
    gd_description: 'Clips onto any cover. Charges by USB-C, forty hours of warm light.',
    keywords: 'light night clip Leselampe 阅读灯',
    actual_price: usd(1_999n),
    retail_price: usd(2_499n),
    in_stock: 40,
    buy_limit_num: 5,
  },
  {
    gd_name: 'Gift card for a book',
    gd_description: 'Good for any one book in the shop. The code comes with the order.',
    keywords: 'voucher present coupon Gutschein 礼品卡',
    actual_price: usd(1_500n),
    retail_price: usd(1_500n),
    in_stock: 200,
    wholesale_price_cnf: ['5=14.25', '20=13.50'],
    buy_prompt: 'Five and more are cheaper. Each order is delivered as one list of codes.',
  },
  {
    gd_name: 'A year of the night club',
    gd_description: 'One novel a month, chosen for you and posted before it is in the shops.',
    keywords: 'subscription membership Abo 会员',
    actual_price: usd(18_000n),
    retail_price: usd(21_600n),
    in_stock: 25,
    buy_limit_num: 1,
    other_ipu_cnf: ['email=Where to write to=true=you@mail.example', 'genre=Favourite genre=false'],
  },
];

/** Creates the products of the demo merchant. */
export async function seedProducts(tx: Tx, ids: IdSource, merchant_id: string, now: Date): Promise<void> {
  for (const product of products) {
    await createProduct(tx, ids, merchant_id, { ...product, currency: 'USD' }, now);
  }
}
