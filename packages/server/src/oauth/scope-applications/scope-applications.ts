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
  endApplication,
  insertApplication,
  selectApplication,
  selectApplications,
  selectLatestApplications,
  supersedePending,
} from './scope-application.sql.ts';

/*
 * The row of the client is locked before anything about its applications is read or written: so an application and
 * a decision on the one before never cross.
 */

/**
 * Asks for other scopes. The client keeps those that it has until somebody decides; an application that is
 * still pending gives way to this one.
 *
 * @param merchant_id whose client it has to be
 * @throws AppError `not_found`; `invalid_request` on `scopes` where one is unknown, or where the client has just these
 */
export async function applyForScopes(
  tx: Tx,
  { ids }: { ids: Pick<IdSource, 'ulid'> },
  wanted: { merchant_id: string; client_id: string; scopes: readonly string[]; requested_by: string },
  now: Date,
): Promise<ScopeApplication> {
  const { merchant_id, client_id, requested_by } = wanted;
  const client = await ownClient(tx, merchant_id, client_id);
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
 * A merchant's client, locked: nobody else changes it, or what is asked for it, until the transaction ends. One that
 * does not exist and one of somebody else are the same. Throws `not_found`.
 */
export async function ownClient(tx: Tx, merchant_id: string, client_id: string): Promise<Client> {
  const client = await selectClientForUpdate(tx, client_id);
  if (client?.merchant_id !== merchant_id) throw new AppError('not_found');
  return client;
}

/**
 * Decides on a pending application, once. Approving puts the scopes into force, those asked for or others: tokens lose
 * at once what is not among them, and gain nothing (R-317, R-318, D-169).
 *
 * @throws AppError `not_found`; `already_decided`; `invalid_request` on `scopes` where one is unknown
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
    await end(tx, application);
    return { before: { application: known, client }, after: { application, client } };
  }
  const approved_scopes = checkScopes(decision.scopes ?? known.scopes);
  const application: ScopeApplication = { ...decided, status: 'approved', approved_scopes };
  await end(tx, application);
  const change = await setClientScopes(tx, client.client_id, approved_scopes);
  return {
    before: { application: known, client },
    after: { application, client: change.after },
  };
}

async function end(tx: Tx, application: ScopeApplication): Promise<void> {
  if (!(await endApplication(tx, application))) throw new AppError('already_decided');
}

/** Applications with their clients, the newest first. */
export async function listApplications(
  db: Queryable,
  page: { status: ScopeApplication['status'] | null; before: string | null; limit: number },
): Promise<ApplicationWithClient[]> {
  const applications = await selectApplications(db, page);
  const ids = [...new Set(applications.map(({ client_id }) => client_id))];
  const clients = new Map((await selectClientsByIds(db, ids)).map((client) => [client.client_id, client]));
  return applications.map((application) => {
    const client = clients.get(application.client_id);
    if (client === undefined) throw new InvariantError('an application without its client');
    return { application, client };
  });
}

/** What was last asked for each of these clients, and what became of it. */
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
