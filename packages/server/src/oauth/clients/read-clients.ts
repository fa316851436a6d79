/** Finds clients, and answers whether a text is a client secret. */
import type { Database, Queryable } from '../../base/pg/index.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Client } from './client.ts';
import { secretMatches } from './client-secret.ts';
import { selectClient, selectClientsOf } from './client.sql.ts';

/** A client by id, cached (D-169); null where there is none. */
export type FindClient = (client_id: string) => Promise<Client | null>;

export function createFindClient(db: Database, cache: LiveCache): FindClient {
  const find = cache.keyed((client_id: string) => selectClient(db.lookups, client_id));
  return (client_id) => (/^[\w.-]{1,64}$/.test(client_id) ? find(client_id) : Promise.resolve(null));
}

/**
 * Whether the text is a valid secret of any client of this merchant, current or previous. Such a text is refused as a
 * notification secret (R-253, R-325, D-139).
 *
 * @param now real time
 */
export async function isClientSecret(
  db: Queryable,
  box: SecretBox,
  merchant_id: string,
  text: string,
  now: Date,
): Promise<boolean> {
  const clients = await selectClientsOf(db, merchant_id);
  return clients.some((client) => secretMatches(box, client, text, now));
}
