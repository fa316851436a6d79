/** What each key still seals or derives, for the commands about keys. */
import { countKeys, type KeyCount } from '../base/keys/index.ts';
import type { Queryable } from '../base/pg/index.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { readUnendorsedKeys } from '../seals/index.ts';

/** A key, and the values that need it. */
export interface KeyUse {
  key_id: string;
  /** `missing`: values need it, and it is not in PAYDESK_SECRET_KEY. */
  kind: 'first' | 'older' | 'missing' | 'inner';
  counts: KeyCount[];
}

/** The uses of all keys: the secret keys in their order, those that are missing, then the inner keys. */
export async function readKeyUses(db: Queryable, box: SecretBox): Promise<KeyUse[]> {
  const unendorsed = (await readUnendorsedKeys(db)).map((key_id): KeyCount => ({
    key_id,
    does: 'derives',
    place: 'seal_keys.public_key',
    values: 1,
  }));
  const counts = [...(await countKeys(db)), ...unendorsed];
  // What derived from a secret key before there were inner keys derives from an inner key with the same id.
  const isInner = ({ key_id, does, place }: KeyCount): boolean =>
    does === 'derives' &&
    place !== 'seal_keys.public_key' &&
    (key_id === box.inner_key_id || box.olderIds('checkout').includes(key_id));
  const use = (key_id: string, kind: KeyUse['kind'], of: readonly KeyCount[]): KeyUse => ({
    key_id,
    kind,
    counts: of.filter((count) => count.key_id === key_id),
  });
  const [inner, ofSecrets] = [counts.filter(isInner), counts.filter((count) => !isInner(count))];
  const missing = idsOf(ofSecrets).filter((key_id) => !box.key_ids.includes(key_id));
  return [
    ...box.key_ids.map((key_id, i) => use(key_id, i === 0 ? 'first' : 'older', ofSecrets)),
    ...missing.map((key_id) => use(key_id, 'missing', ofSecrets)),
    ...[...new Set([box.inner_key_id, ...idsOf(inner)])].map((key_id) => use(key_id, 'inner', inner)),
  ];
}

const idsOf = (counts: readonly KeyCount[]): string[] => [...new Set(counts.map(({ key_id }) => key_id))];

/** How many values the key seals or derives. */
export const sumOf = ({ counts }: KeyUse, does: KeyCount['does']): number =>
  counts.reduce((sum, count) => sum + (count.does === does ? count.values : 0), 0);

/** Whether nothing needs this key, so that it can be removed. */
export const canBeRemoved = (use: KeyUse): boolean => use.kind === 'older' && use.counts.length === 0;

/** The use of a key in words: one line, and one more for each column. */
export function wordsOf(use: KeyUse): string[] {
  const names: Record<KeyUse['kind'], string> = {
    first: `key ${use.key_id} (first)`,
    older: `key ${use.key_id}`,
    missing: `key ${use.key_id} (not in PAYDESK_SECRET_KEY)`,
    inner: `inner key ${use.key_id}`,
  };
  return [
    `${names[use.kind]}: seals ${sumOf(use, 'seals')}, derives ${sumOf(use, 'derives')}`,
    ...use.counts.map(({ does, place, values }) => `  ${does} ${values} in ${place}`),
    ...(canBeRemoved(use) ? [removable(use)] : []),
  ];
}

export const removable = ({ key_id }: KeyUse): string => `key ${key_id} can be removed`;
