/**
 * Applies for scopes and decides on applications. Invariant: the client's row is locked before its applications are
 * read or written, so that an application and a decision never overlap.
 */
import type { Queryable, Tx } from '../../base/pg/index.ts';
import { AppError, InvariantError, invalid } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import {
  checkScopes,
  type Client,
  setClientScopes,
  selectClientForUpdate,
  selectClientsByIds,
} from '../clients/index.ts';
import {
  type ApplicationWithClient,
  isSameSet,
  type ScopeApplication,
  type ScopeDecision,
} from './scope-application.ts';
import {
  updatePendingApplication,
  insertApplication,
  selectApplication,
  selectApplications,
  selectLatestApplications,
  supersedePending,
} from './scope-application.sql.ts';

/**
 * Applies for scopes. The client keeps its scopes until the decision. A pending application is superseded.
 *
 * @param wanted `merchant_id` must be the merchant of the client
 * @throws AppError `not_found`; `invalid_request` with `field` `scopes` where a scope is unknown, or where the client
 *   has exactly these scopes
 */
export async function applyForScopes(
  tx: Tx,
  { ids }: { ids: Pick<IdSource, 'ulid'> },
  wanted: { merchant_id: string; client_id: string; scopes: readonly string[]; requested_by: string },
  now: Date,
): Promise<ScopeApplication> {
  const { merchant_id, client_id, requested_by } = wanted;
  const client = await lockOwnClient(tx, merchant_id, client_id);
  const scopes = checkScopes(wanted.scopes);
  if (isSameSet(scopes, client.scopes)) throw invalid('scopes', 'The client has these scopes already.');
  await supersedePending(tx, client_id);
  const application: ScopeApplication = {
    application_id: `sa_${ids.ulid(now)}`,
    client_id,
    merchant_id,
    scopes,
    status: 'pending',
    requested_by,
    requested_at: now,
    decided_by: null,
    decided_at: null,
    reason: null,
    approved_scopes: null,
  };
  await insertApplication(tx, application);
  return application;
}

/**
 * Locks a client of a merchant: nothing else changes it or its applications until the transaction ends. Throws
 * `not_found` for an unknown client and for one of another merchant.
 */
export async function lockOwnClient(tx: Tx, merchant_id: string, client_id: string): Promise<Client> {
  const client = await selectClientForUpdate(tx, client_id);
  if (client?.merchant_id !== merchant_id) throw new AppError('not_found');
  return client;
}

/**
 * Decides on a pending application, once. An approval sets the client's scopes, to the requested ones or to
 * others. Existing tokens lose scopes that are not among them, and gain none (R-318, D-169).
 *
 * @throws AppError `not_found`; `already_decided`; `invalid_request` with `field` `scopes` where a scope is unknown
 */
export async function decideApplication(
  tx: Tx,
  application_id: string,
  decision: ScopeDecision,
  now: Date,
): Promise<{ before: ApplicationWithClient; after: ApplicationWithClient }> {
  const known = await selectApplication(tx, application_id);
  const client = known === null ? null : await selectClientForUpdate(tx, known.client_id);
  if (known === null || client === null) throw new AppError('not_found');
  const { decided_by, reason } = decision;
  const decided = { ...known, decided_by, reason, decided_at: now };
  if (decision.decision === 'reject') {
    const application: ScopeApplication = { ...decided, status: 'rejected' };
    await endApplication(tx, application);
    return { before: { application: known, client }, after: { application, client } };
  }
  const approved_scopes = checkScopes(decision.scopes ?? known.scopes);
  const application: ScopeApplication = { ...decided, status: 'approved', approved_scopes };
  await endApplication(tx, application);
  const change = await setClientScopes(tx, client.client_id, approved_scopes);
  return {
    before: { application: known, client },
    after: { application, client: change.after },
  };
}

/** Throws `already_decided` where the application is no longer pending. */
async function endApplication(tx: Tx, application: ScopeApplication): Promise<void> {
  if (!(await updatePendingApplication(tx, application))) throw new AppError('already_decided');
}

/** One page of applications with their clients, newest first. */
export async function listApplications(
  db: Queryable,
  page: { status: ScopeApplication['status'] | null; before: string | null; limit: number },
): Promise<ApplicationWithClient[]> {
  const applications = await selectApplications(db, page);
  const ids = [...new Set(applications.map(({ client_id }) => client_id))];
  const clients = new Map((await selectClientsByIds(db, ids)).map((client) => [client.client_id, client]));
  return applications.map((application) => {
    const client = clients.get(application.client_id);
    if (client === undefined) throw new InvariantError('a scope application has no client');
    return { application, client };
  });
}

/** The latest application of each of these clients, by client id. */
export async function latestApplications(
  db: Queryable,
  clients: readonly Client[],
): Promise<Map<string, ScopeApplication>> {
  if (clients.length === 0) return new Map();
  const latest = await selectLatestApplications(
    db,
    clients.map(({ client_id }) => client_id),
  );
  return new Map(latest.map((application) => [application.client_id, application]));
}
