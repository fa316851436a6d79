/**
 * The keys of a database: opened with the secret keys, or made at the first start. Invariant: the canary and the inner
 * keys are made once, by one process, and every process that can open the canary can open them.
 */
import { randomBytes } from 'node:crypto';
import { InvariantError } from '../errors.ts';
import type { Database, Queryable, Tx } from '../pg/index.ts';
import { sealed } from '../sealed-columns.ts';
import { type InnerKey, keyIdOf, type SecretBox, secretBox } from '../secret-box.ts';
import {
  insertInnerKeys,
  lockRing,
  type RingRow,
  selectInnerKeys,
  selectRing,
  updateCanary,
} from './key-ring.sql.ts';
import { WrongKeyError } from './wrong-key-error.ts';

const canary = 'paydesk';
const canaryRow = sealed.canary.row({ singleton: 'true' });

/** What derived from the secret keys themselves before there were inner keys. */
const olderPurposes = [
  'catalog-code',
  'checkout',
  'client-secret',
  'known-device',
  'notify-secret',
  'oauth-cookies',
  'oauth-signing',
  'recovery-code',
];

/**
 * Opens the keys of a database; the first process makes them.
 *
 * @param keys the secret keys, the first of which seals
 * @throws WrongKeyError if the secret keys do not belong to the database
 */
export async function openKeyRing(
  db: Database,
  keys: readonly [Buffer, ...Buffer[]],
  now: Date,
): Promise<SecretBox> {
  const box = secretBox(keys);
  const ring = await selectRing(db);
  if (ring === null || ring.canary_box === null) {
    await db.transaction(async (tx) => {
      const locked = await lockRing(tx);
      if (locked === null) throw new InvariantError('the key ring has no row');
      if (locked.canary_box === null) await makeKeys(tx, box, locked, now);
    });
  }
  await checkKeys(db, box);
  const inner = (await selectInnerKeys(db)).map(({ key_id, purpose, key_box }): InnerKey => {
    const text = opening(box, key_box, () => box.open(key_box, sealed.innerKey.row({ key_id, purpose })));
    return { key_id, purpose, key: Buffer.from(text, 'base64') };
  });
  return secretBox(keys, inner);
}

/**
 * Checks that the secret keys of this process open the secrets of the database. One round trip.
 *
 * @throws WrongKeyError if they do not, for example because the database was restored from one with another key
 */
export async function checkKeys(db: Queryable, box: SecretBox): Promise<void> {
  const canary_box = (await selectRing(db))?.canary_box ?? null;
  if (canary_box === null) throw new WrongKeyError('The database has no keys: start the service again.');
  const text = opening(box, canary_box, () => box.open(canary_box, canaryRow));
  if (text !== canary) throw new WrongKeyError('The canary of the database was changed.');
}

function opening(box: SecretBox, value: Buffer, open: () => string): string {
  try {
    return open();
  } catch (cause) {
    const id = keyIdOf(value) ?? 'unknown';
    const problem = box.key_ids.includes(id)
      ? `a value that key ${id} sealed was changed.`
      : `they are sealed with key ${id}, and the given keys are ${box.key_ids.join(', ')}: set the key that the database was used with.`;
    throw new WrongKeyError(`PAYDESK_SECRET_KEY does not open the secrets of this database: ${problem}`, {
      cause,
    });
  }
}

/** Makes the canary and a random inner key, and keeps what derived from the secret keys before. */
async function makeKeys(tx: Tx, box: SecretBox, { has_older }: RingRow, now: Date): Promise<void> {
  const fresh = { key_id: randomBytes(4).toString('hex'), purpose: '', key: randomBytes(32) };
  const older = !has_older
    ? []
    : box.key_ids.flatMap((key_id) =>
        olderPurposes.map((purpose) => ({ key_id, purpose, key: box.derive(purpose, key_id) })),
      );
  const rows = [fresh, ...older].map(({ key_id, purpose, key }) => ({
    key_id,
    purpose,
    key_box: box.seal(key.toString('base64'), sealed.innerKey.row({ key_id, purpose })),
  }));
  await insertInnerKeys(tx, rows, now);
  await updateCanary(tx, box.seal(canary, canaryRow));
}
