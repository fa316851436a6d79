import type { Database } from '../../base/pg/index.ts';
import { countProducts, type Selection, selectVersion } from './product-search.sql.ts';

/** What was counted, and the version of the merchant's products of which that is true. */
export interface Counted {
  version: bigint;
  total: number;
}

/**
 * How many products a selection has.
 *
 * @param count called where it is not remembered: counts, and may do more on the way
 */
export type CountProducts = (selection: Selection, count?: () => Promise<Counted>) => Promise<number>;

/** Texts of so many searches are remembered. */
const most = 10_000;

/**
 * Counts exactly, and remembers what it counted until the merchant changes a product: counting all that a common text
 * is found in takes far longer than reading a page of it.
 */
export function createProductCounter(db: Pick<Database, 'query' | 'lookups'>): CountProducts {
  const known = new Map<string, Promise<Counted>>();

  /** The total under `key` where it was counted and still is true, at the price of one look-up by key. */
  async function readRememberedTotal(key: string, merchant_id: string): Promise<number | undefined> {
    const remembered = known.get(key);
    if (remembered === undefined) return undefined;
    const [version, found] = await Promise.all([
      selectVersion(db.lookups, merchant_id),
      remembered.catch(() => undefined),
    ]);
    // What another counts now may be of an older version than ours; its own tells.
    return found !== undefined && found.version >= version ? found.total : undefined;
  }

  async function countAndRemember(key: string, count: () => Promise<Counted>): Promise<number> {
    const counting = count();
    if (known.size >= most) known.clear();
    known.set(key, counting);
    try {
      return (await counting).total;
    } catch (error) {
      if (known.get(key) === counting) known.delete(key);
      throw error;
    }
  }

  return async (selection, count = () => countProducts(db, selection)) => {
    const { merchant_id, disabled_too, folded } = selection;
    const key = `${merchant_id} ${disabled_too} ${folded}`;
    return (await readRememberedTotal(key, merchant_id)) ?? countAndRemember(key, count);
  };
}
