/** The clients that act for a person (connected apps): lists them, and takes their access back. */
import type { Database, Tx } from '../../base/pg/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { createFindClient, type Scope } from '../clients/index.ts';
import { deleteConsent, deleteTokensOf, selectConsentsOf } from './consent.sql.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';

/** A client with a consent of the person. */
export interface ConnectedApp {
  client_id: string;
  client: string;
  merchant: string | null;
  /** The scopes that the person allowed and that are still approved for the client. */
  scopes: Scope[];
}

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
          const approved = scopes.filter((scope) => client.scopes.includes(scope));
          return [{ client_id, client: client.name, merchant: merchant?.name ?? null, scopes: approved }];
        }),
      );
      return apps.flat();
    },
    async revoke(user_id: string, client_id: string): Promise<void> {
      await revokeConsent(deps, user_id, client_id);
    },
    /** Deletes every code and token of a person; the consents stay. Call `forget` after the commit. */
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
 * Deletes a consent with every code and token that came from it. Other processes refuse those tokens within a second
 * (D-169).
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
