/** Counts the products of a search, and remembers the counts. */
import type { Database } from '../../base/pg/index.ts';
import { countProducts, type Selection, selectVersion } from './product-search.sql.ts';

/** A count, and the catalog version in which it is true. */
export interface Counted {
  version: bigint;
  total: number;
}

/**
 * Returns the number of products of a selection.
 *
 * @param count counts the products if the number is not remembered; it may read other data as well
 */
export type CountProducts = (selection: Selection, count?: () => Promise<Counted>) => Promise<number>;

/** Maximum number of remembered counts. */
const most = 10_000;

/**
 * Creates a counter that remembers each count until the merchant changes a product. Counting the matches of a common
 * text takes far longer than reading one page.
 *
 * Invariant: a remembered count is returned only if its catalog version is still the current one.
 */
export function createProductCounter(db: Pick<Database, 'query' | 'lookups'>): CountProducts {
  const known = new Map<string, Promise<Counted>>();

  /** Returns the remembered total if it is still true. Costs one look-up by key. */
  async function readRememberedTotal(key: string, merchant_id: string): Promise<number | undefined> {
    const remembered = known.get(key);
    if (remembered === undefined) return undefined;
    const [version, found] = await Promise.all([
      selectVersion(db.lookups, merchant_id),
      remembered.catch(() => undefined),
    ]);
    // A count that another request started may belong to an older version.
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
