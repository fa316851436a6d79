/** Fills a merchant’s catalog with products, and makes search texts for them. */
import { builtFiles } from '../built-files.ts';
import type { Database } from '../database/database.ts';

/** The service’s functions that prepare the texts of a product for the search. */
interface SearchText {
  foldedOf: (product: Texts) => string;
  gramsOf: (merchant_id: string, folded: string) => number[];
}

/** The texts that a search looks in. */
export interface Texts {
  gd_name: string;
  gd_description: string;
  keywords: string;
}

const materials = [
  'Copper',
  'Walnut',
  'Linen',
  'Marble',
  'Felt',
  'Cobalt',
  'Rattan',
  'Brass',
  'Slate',
  'Wool',
];
const things = [
  'kettle',
  'lantern',
  'notebook',
  'puzzle',
  'teapot',
  'blanket',
  'compass',
  'drawer',
  'easel',
  'flute',
];
const colours = ['crimson', 'amber', 'olive', 'teal', 'indigo', 'violet', 'ivory'];
const hanMaterials = ['青铜', '胡桃木', '亚麻', '大理石', '羊毛', '竹子', '陶瓷'];
const hanThings = ['茶壶', '灯笼', '笔记本', '拼图', '毛毯', '指南针', '画架', '长笛', '花瓶'];

const itemAt = (of: readonly string[], i: number): string => of[i % of.length] ?? '';

/** The model number of a product: unique, and not in the order of the products. */
const modelOf = (i: number): string => `kx-${((i * 7_919) % 1_000_003).toString().padStart(7, '0')}`;

/** The texts of a product: a combination of a material and a thing, in two scripts. */
export function textsOf(i: number): Texts {
  const material = itemAt(materials, i);
  const thing = itemAt(things, Math.floor(i / materials.length));
  const colour = itemAt(colours, i);
  return {
    gd_name: `${material} ${thing} ${modelOf(i).toUpperCase()}`,
    gd_description: `A ${colour} ${thing} of ${material.toLowerCase()}, packed and sent within two days.`,
    keywords: `${hanOf(i)}\n${colour} gift`,
  };
}

const hanOf = (i: number): string =>
  itemAt(hanMaterials, i) + itemAt(hanThings, Math.floor(i / hanMaterials.length));

/**
 * The text of a search. Of ten searches, six are for a model number that is new, one for a part of a model
 * number that some products share, two for a kind of thing in one of the scripts, and one for a colour that
 * every seventh product has.
 */
export function searchOf(i: number, products: number): string {
  const product = (i * 31) % products;
  switch (i % 10) {
    case 6:
      return modelOf(product).slice(3, 8);
    case 7:
      return `${itemAt(materials, product).toLowerCase()} ${itemAt(things, Math.floor(product / materials.length))}`;
    case 8:
      return hanOf(product);
    case 9:
      return `${itemAt(colours, product)} gift`;
    default:
      return modelOf(product);
  }
}

/** Number of rows in one statement. */
const chunk = 2_000;

/**
 * Stores copies of a product that the service created, each with its own texts, and raises the version of the
 * merchant’s catalog.
 */
export async function fillProducts(db: Database, pattern_gd_no: string, count: number): Promise<void> {
  const { foldedOf, gramsOf } = (await import(builtFiles.searchText.href)) as SearchText;
  const [pattern] = await db.query<{ merchant_id: string }>(
    'SELECT merchant_id FROM products WHERE gd_no = $1',
    [pattern_gd_no],
  );
  const merchant_id = pattern?.merchant_id ?? '';
  for (let from = 0; from < count; from += chunk) {
    const numbers = Array.from({ length: Math.min(chunk, count - from) }, (_, i) => from + i);
    const texts = numbers.map(textsOf);
    const folded = texts.map(foldedOf);
    await db.query(fill, [
      merchant_id,
      pattern_gd_no,
      numbers.map((i) => `gd_${i.toString().padStart(26, '0')}`),
      texts.map(({ gd_name }) => gd_name),
      texts.map(({ gd_description }) => gd_description),
      texts.map(({ keywords }) => keywords),
      folded,
      folded.map((text) => `{${gramsOf(merchant_id, text).join(',')}}`),
    ]);
  }
  await db.query('UPDATE catalog_versions SET version = version + 1 WHERE merchant_id = $1', [merchant_id]);
  await db.query('VACUUM ANALYZE products');
  await db.query('VACUUM ANALYZE product_search');
}

const fill = `WITH new AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
      AS new (gd_no, gd_name, gd_description, keywords, folded, grams)),
  stored AS (
    INSERT INTO products (merchant_id, gd_no, gd_name, gd_description, keywords, actual_price, retail_price, currency,
      in_stock, buy_limit_num, payment_policy, payment_methods, other_ipu_cnf, wholesale_price_cnf, buy_prompt,
      enabled, created_at, updated_at, supplied)
    SELECT p.merchant_id, new.gd_no, new.gd_name, new.gd_description, new.keywords, p.actual_price, p.retail_price,
      p.currency, p.in_stock, p.buy_limit_num, p.payment_policy, p.payment_methods, p.other_ipu_cnf,
      p.wholesale_price_cnf, p.buy_prompt, p.enabled, p.created_at, p.updated_at, p.in_stock
    FROM new, products p WHERE p.merchant_id = $1 AND p.gd_no = $2)
  INSERT INTO product_search (merchant_id, gd_no, enabled, folded, grams)
  SELECT $1, gd_no, true, folded, grams::integer[] FROM new`;
