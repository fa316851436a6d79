import type { Database, Tx } from '../../base/pg/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { createFindClient, type Scope } from '../clients/index.ts';
import { deleteConsent, deleteTokensOf, selectConsentsOf } from './consent.sql.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';

/** A client that a person has let in, with what it may still do. */
export interface ConnectedApp {
  client_id: string;
  client: string;
  merchant: string | null;
  scopes: Scope[];
}

/** The clients that act for a person, as the person sees them: listed, shut out again, or stopped until they ask anew. */
export function connectedApps(deps: { db: Database; cache: LiveCache; findMerchant: FindMerchant }) {
  const { db, cache, findMerchant } = deps;
  const findClient = createFindClient(db, cache);
  return {
    async listOf(user_id: string): Promise<ConnectedApp[]> {
      const consents = await selectConsentsOf(db, user_id);
      const apps = await Promise.all(
        consents.map(async ({ client_id, scopes }) => {
          const client = await findClient(client_id);
          if (client === null) return [];
          const merchant = client.merchant_id === null ? null : await findMerchant(client.merchant_id);
          const still = scopes.filter((scope) => client.scopes.includes(scope));
          return [{ client_id, client: client.name, merchant: merchant?.name ?? null, scopes: still }];
        }),
      );
      return apps.flat();
    },
    async revoke(user_id: string, client_id: string): Promise<void> {
      await revokeConsent(deps, user_id, client_id);
    },
    async endTokens(tx: Tx, user_id: string): Promise<void> {
      await deleteTokensOf(tx, user_id);
      await cache.announce(tx);
    },
    forget(): void {
      cache.clear();
    },
  };
}

/**
 * Takes back what a person let a client do, with every code and token that came of it; other processes refuse those
 * within a second (D-169).
 *
 * @returns whether there was a consent
 */
export async function revokeConsent(
  { db, cache }: { db: Database; cache: LiveCache },
  user_id: string,
  client_id: string,
): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const gone = await deleteConsent(tx, user_id, client_id);
    await cache.announce(tx);
    return gone;
  });
  cache.clear();
  return done;
}
