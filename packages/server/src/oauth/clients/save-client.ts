/**
 * Creates and changes clients. Invariant: the caller announces a change through the live cache in the same
 * transaction and clears its own cache after the commit. So a removed scope, an ended secret or a disabled client
 * takes effect at once in this process, and within a second in the others (D-169).
 */
import { days, later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { checkClient, checkScopes, type Client } from './client.ts';
import { checkKeySet } from './client-keys.ts';
import { digestSecret } from './client-secret.ts';
import { insertClient, selectClientForUpdate, updateClient } from './client.sql.ts';

interface Keys {
  box: SecretBox;
  ids: IdSource;
}

/** 256 random bits: enough to store only a keyed digest (D-139, R-326). */
const secretBytes = 32;

/**
 * Creates a client. Only this call returns the secret of a confidential client.
 *
 * @throws AppError `invalid_request` with `field`
 */
export async function createClient(
  tx: Tx,
  { box, ids }: Keys,
  settings: Pick<Client, 'merchant_id' | 'name' | 'type' | 'redirect_uris'> & {
    scopes: readonly string[];
    allowed_cidrs?: string[];
  },
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
    jwks: null,
    disabled: false,
    token_generation: 0,
    disabled_by: null,
    allowed_cidrs: settings.allowed_cidrs ?? [],
    created_at: now,
  });
  await insertClient(tx, client);
  return { client, client_secret };
}

/** Sets the approved scopes. Existing tokens lose removed scopes and never gain scopes (R-318, D-169). */
export function setClientScopes(
  tx: Tx,
  client_id: string,
  scopes: readonly string[],
): Promise<{ before: Client; after: Client }> {
  return changeClient(tx, client_id, (client) => ({ ...client, scopes: checkScopes(scopes) }));
}

/** The settings of a client that may change, except its scopes. */
export interface ClientChange {
  name?: string | undefined;
  redirect_uris?: string[] | undefined;
  allowed_cidrs?: string[] | undefined;
  /** Disabling a client ends its tokens (D-170): enabling it again does not bring them back. */
  disabled?: boolean | undefined;
  /** A public client becomes confidential and gets a secret. The reverse is not possible. */
  type?: 'confidential' | undefined;
}

/**
 * Changes a client. Only this call returns the secret of a client that becomes confidential.
 *
 * @throws AppError `not_found`; `invalid_request` with `field`
 */
export async function editClient(
  tx: Tx,
  { box, ids }: Keys,
  client_id: string,
  { name, redirect_uris, allowed_cidrs, disabled, type }: ClientChange,
): Promise<{ before: Client; after: Client; client_secret: string | null }> {
  let client_secret: string | null = null;
  const { before, after } = await changeClient(tx, client_id, (client) => {
    if (type === 'confidential' && client.type === 'public') client_secret = ids.secret(secretBytes);
    return {
      ...client,
      name: name ?? client.name,
      redirect_uris: redirect_uris ?? client.redirect_uris,
      allowed_cidrs: allowed_cidrs ?? client.allowed_cidrs,
      disabled: disabled ?? client.disabled,
      token_generation: nextGeneration(client, disabled === true && !client.disabled),
      disabled_by: disabled === undefined ? client.disabled_by : null,
      type: type ?? client.type,
      secret_digest: client_secret === null ? client.secret_digest : digestSecret(box, client_secret),
    };
  });
  return { before, after, client_secret };
}

/**
 * Changes a client for its merchant: disables it, enables it again, or sets the addresses from which it may call.
 * Repeating it changes nothing.
 *
 * @throws AppError `administrator_required` for enabling a client that the platform has disabled; `invalid_request` with
 *   `field`
 */
export async function changeForMerchant(
  tx: Tx,
  keys: Keys,
  client: Client,
  { disabled = client.disabled, allowed_cidrs }: Pick<ClientChange, 'disabled' | 'allowed_cidrs'>,
): Promise<{ before: Client; after: Client }> {
  if (client.disabled === disabled) {
    return allowed_cidrs === undefined
      ? { before: client, after: client }
      : changeClient(tx, client.client_id, (known) => ({ ...known, allowed_cidrs }));
  }
  if (client.disabled && client.disabled_by !== 'merchant') {
    throw new AppError('administrator_required', {
      description: 'An administrator has disabled this client.',
    });
  }
  const { before, after } = await editClient(tx, keys, client.client_id, { disabled, allowed_cidrs });
  const decided: Client = { ...after, disabled_by: disabled ? 'merchant' : null };
  await updateClient(tx, decided);
  return { before, after: decided };
}

/**
 * Gives a confidential client its own public keys, and ends its secrets; or removes the keys, and makes a secret that
 * only this call returns. Tokens stay valid.
 *
 * @throws AppError `not_found`; `invalid_request` with `field`, and for a public client
 */
export async function setClientKeys(
  tx: Tx,
  { box, ids }: Keys,
  client_id: string,
  keys: Parameters<typeof checkKeySet>[0] | null,
): Promise<{ before: Client; after: Client; client_secret: string | null }> {
  const jwks = keys === null ? null : checkKeySet(keys);
  let client_secret: string | null = null;
  const { before, after } = await changeClient(tx, client_id, (client) => {
    if (client.type === 'public') {
      throw new AppError('invalid_request', { description: 'A public client cannot keep a key.' });
    }
    if (jwks === null && client.jwks === null) return client;
    if (jwks === null) client_secret = ids.secret(secretBytes);
    return {
      ...client,
      jwks,
      secret_digest: client_secret === null ? null : digestSecret(box, client_secret),
      previous_secret_digest: null,
      previous_valid_until: null,
    };
  });
  return { before, after, client_secret };
}

/**
 * Gives a confidential client a new secret. The old secret stays valid for 24 hours, and tokens stay valid. With
 * `revoke_old` the old secret ends now, with every token of the client (D-170).
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
  const { after } = await changeClient(tx, client_id, (client) => {
    if (client.type === 'public') {
      throw new AppError('invalid_request', { description: 'A public client has no secret.' });
    }
    if (client.jwks !== null) {
      throw new AppError('invalid_request', { description: 'This client has keys instead of a secret.' });
    }
    return {
      ...client,
      secret_digest: digestSecret(box, client_secret),
      previous_secret_digest: previous_valid_until === null ? null : client.secret_digest,
      previous_valid_until,
      token_generation: nextGeneration(client, options.revoke_old === true),
    };
  });
  return { client: after, client_secret, previous_valid_until };
}

/** Another generation than the stored one ends the tokens, also those that other processes issue at this moment. */
const nextGeneration = ({ token_generation }: Client, ends: boolean): number =>
  ends ? token_generation + 1 : token_generation;

async function changeClient(
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
