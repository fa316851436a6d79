import type { Database, Queryable } from '../../base/pg/index.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { type Client } from './client.ts';
import { secretMatches } from './client-secret.ts';
import { selectClient, selectClientsOf } from './client.sql.ts';

/*
 * Whoever changes a client announces it through the live cache in the same transaction, and drops the own cache
 * after the commit: so a scope that is taken away, a rotated secret or a disabled client bites within a second
 * everywhere, and at once here (D-169).
 */

/** A client by id, cached; null where there is none. */
export type FindClient = (client_id: string) => Promise<Client | null>;

export function createFindClient(db: Database, cache: LiveCache): FindClient {
  const find = cache.keyed((client_id: string) => selectClient(db, client_id));
  return (client_id) => (/^[\w.-]{1,64}$/.test(client_id) ? find(client_id) : Promise.resolve(null));
}

/**
 * Whether the text is a secret of any client of this merchant, current or rotated away and still valid (D-139,
 *
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
