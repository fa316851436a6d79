import { days, later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { checkClient, checkScopes, type Client } from './client.ts';
import { digestSecret } from './client-secret.ts';
import { insertClient, selectClientForUpdate, updateClient } from './client.sql.ts';

interface Keys {
  box: SecretBox;
  ids: IdSource;
}

/** 256 bits: random enough that a keyed digest is all that need be stored (D-139, R-326). */
const secretBytes = 32;

/**
 * Creates a client. The secret of a confidential one is in the answer and nowhere else.
 *
 * @throws AppError `invalid_request` with the field at fault
 */
export async function createClient(
  tx: Tx,
  { box, ids }: Keys,
  settings: Pick<Client, 'merchant_id' | 'name' | 'type' | 'redirect_uris'> & { scopes: readonly string[] },
  now: Date,
): Promise<{ client: Client; client_secret: string | null }> {
  const client_secret = settings.type === 'confidential' ? ids.secret(secretBytes) : null;
  const client = checkClient({
    ...settings,
    scopes: checkScopes(settings.scopes),
    client_id: `cl_${ids.ulid(now)}`,
    secret_digest: client_secret === null ? null : digestSecret(box, client_secret),
    previous_secret_digest: null,
    previous_valid_until: null,
    disabled: false,
    created_at: now,
  });
  await insertClient(tx, client);
  return { client, client_secret };
}

/** Sets the approved scopes. Tokens lose what is taken away and gain nothing (R-318, D-169). */
export function setClientScopes(
  tx: Tx,
  client_id: string,
  scopes: readonly string[],
): Promise<{ before: Client; after: Client }> {
  return change(tx, client_id, (client) => ({ ...client, scopes: checkScopes(scopes) }));
}

/** What may be changed of a client besides its scopes. */
export interface ClientChange {
  name?: string | undefined;
  redirect_uris?: string[] | undefined;
  /** Its tokens are refused as long as it is (D-170). */
  disabled?: boolean | undefined;
  /** A public client becomes one with a secret; there is no way back. */
  type?: 'confidential' | undefined;
}

/**
 * Changes a client. The secret of one that becomes confidential is in the answer and nowhere else.
 *
 * @throws AppError `not_found`; `invalid_request` with the field at fault
 */
export async function editClient(
  tx: Tx,
  { box, ids }: Keys,
  client_id: string,
  { name, redirect_uris, disabled, type }: ClientChange,
): Promise<{ before: Client; after: Client; client_secret: string | null }> {
  let client_secret: string | null = null;
  const { before, after } = await change(tx, client_id, (client) => {
    if (type === 'confidential' && client.type === 'public') client_secret = ids.secret(secretBytes);
    return {
      ...client,
      name: name ?? client.name,
      redirect_uris: redirect_uris ?? client.redirect_uris,
      disabled: disabled ?? client.disabled,
      type: type ?? client.type,
      secret_digest: client_secret === null ? client.secret_digest : digestSecret(box, client_secret),
    };
  });
  return { before, after, client_secret };
}

/**
 * Gives a confidential client a new secret. The old one stays valid for 24 hours, or not at all (D-170); issued
 * tokens live on.
 *
 * @param now real time
 * @throws AppError `not_found`; `invalid_request` for a public client, which has no secret
 */
export async function rotateClientSecret(
  tx: Tx,
  { box, ids }: Keys,
  client_id: string,
  now: Date,
  options: { revoke_old?: boolean } = {},
): Promise<{ client: Client; client_secret: string; previous_valid_until: Date | null }> {
  const client_secret = ids.secret(secretBytes);
  const previous_valid_until = options.revoke_old === true ? null : later(now, days(1));
  const { after } = await change(tx, client_id, (client) => {
    if (client.type === 'public') {
      throw new AppError('invalid_request', { description: 'A public client has no secret.' });
    }
    return {
      ...client,
      secret_digest: digestSecret(box, client_secret),
      previous_secret_digest: previous_valid_until === null ? null : client.secret_digest,
      previous_valid_until,
    };
  });
  return { client: after, client_secret, previous_valid_until };
}

async function change(
  tx: Tx,
  client_id: string,
  edit: (client: Client) => Client,
): Promise<{ before: Client; after: Client }> {
  const before = await selectClientForUpdate(tx, client_id);
  if (before === null) throw new AppError('not_found');
  const after = checkClient(edit(before));
  await updateClient(tx, after);
  return { before, after };
}
