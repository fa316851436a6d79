/** The clients that act for a person (connected apps): lists them, and takes their access back. */
import type { Database, Tx } from '../../base/pg/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { createFindClient, type Scope } from '../clients/index.ts';
import { AppError } from '../../base/errors.ts';
import { type LimitName, limitText, readLimits } from './app-limits.ts';
import { deleteConsent, deleteTokensOf, selectConsentsOf, updateLimits } from './consent.sql.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';

/** A client with a consent of the person. */
export interface ConnectedApp {
  client_id: string;
  client: string;
  merchant: string | null;
  /** The merchant that the client belongs to. */
  merchant_id: string | null;
  /** The scopes that the person allowed and that are still approved for the client. */
  scopes: Scope[];
  /** The limits of payments from the balance, as fields show them; null where the client cannot pay. */
  limits: Record<LimitName, string> | null;
}

export function connectedApps(deps: { db: Database; cache: LiveCache; findMerchant: FindMerchant }) {
  const { db, cache, findMerchant } = deps;
  const findClient = createFindClient(db, cache);
  return {
    async listOf(user_id: string): Promise<ConnectedApp[]> {
      const consents = await selectConsentsOf(db, user_id);
      const apps = await Promise.all(
        consents.map(async ({ client_id, scopes, max_per_payment, max_per_day }) => {
          const client = await findClient(client_id);
          if (client === null) return [];
          const merchant = client.merchant_id === null ? null : await findMerchant(client.merchant_id);
          const approved = scopes.filter((scope) => client.scopes.includes(scope));
          const limits = approved.includes('payments.create')
            ? { max_per_payment: limitText(max_per_payment), max_per_day: limitText(max_per_day) }
            : null;
          const { merchant_id } = client;
          return [
            {
              client_id,
              client: client.name,
              merchant: merchant?.name ?? null,
              merchant_id,
              scopes: approved,
              limits,
            },
          ];
        }),
      );
      return apps.flat();
    },
    /** Sets the limits of an app by a form. Throws `invalid_request`; `not_found` where the app has no access. */
    async limit(user_id: string, client_id: string, form: URLSearchParams): Promise<void> {
      const limits = readLimits(form);
      const done = await db.transaction((tx) => updateLimits(tx, { user_id, client_id, ...limits }));
      if (!done) throw new AppError('not_found');
    },
    /** Returns whether the app had access. */
    revoke: (user_id: string, client_id: string): Promise<boolean> => revokeConsent(deps, user_id, client_id),
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
 * Deletes a consent with every code and token that came from it. A code that is made meanwhile finds no consent (D-937). Other processes refuse those tokens within a second
 * (D-169).
 *
 * @returns whether there was a consent
 */
async function revokeConsent(
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
