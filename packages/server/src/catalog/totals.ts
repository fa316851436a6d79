import type { Database } from '../base/db.ts';
import { countProducts, type Selection, selectVersion } from './search.sql.ts';

/** How many products a selection has. */
export type CountProducts = (selection: Selection) => Promise<number>;

/** Texts of so many searches are remembered. */
const most = 10_000;

/**
 * Counts exactly, and remembers what it counted until the merchant changes a product: counting all that a common text
 * is found in takes far longer than reading a page of it.
 */
export function createCounts(db: Pick<Database, 'query' | 'lookups'>): CountProducts {
  const known = new Map<string, Promise<{ version: bigint; total: number }>>();

  async function counted(key: string, selection: Selection, version: bigint): Promise<number> {
    const remembered = known.get(key);
    // What another counts now may be of an older version than ours; its own tells.
    const found = await remembered?.catch(() => undefined);
    if (found !== undefined && found.version >= version) return found.total;
    const counting = countProducts(db, selection);
    if (known.size >= most) known.clear();
    known.set(key, counting);
    try {
      return (await counting).total;
    } catch (error) {
      if (known.get(key) === counting) known.delete(key);
      throw error;
    }
  }

  return async (selection) => {
    const { merchant_id, disabled_too, folded } = selection;
    const version = await selectVersion(db.lookups, merchant_id);
    return counted(`${merchant_id} ${disabled_too} ${folded}`, selection, version);
  };
}
