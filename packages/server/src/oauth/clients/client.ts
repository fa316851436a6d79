import { AppError, invalid } from '../../base/errors.ts';
import { clientGrantScopes, isScope, type Scope } from './scopes.ts';

export type ClientType = 'confidential' | 'public';

/** An application that asks for tokens, bound to at most one merchant. */
export interface Client {
  client_id: string;
  merchant_id: string | null;
  name: string;
  type: ClientType;
  /** Approved by an administrator; a token never carries more, and loses what is taken away (D-169). */
  scopes: Scope[];
  redirect_uris: string[];
  /** Keyed digest of the secret; null for public clients. */
  secret_digest: Buffer | null;
  previous_secret_digest: Buffer | null;
  /** Real time. */
  previous_valid_until: Date | null;
  disabled: boolean;
  created_at: Date;
}

/** Checks what an administrator or merchant may set. Throws `invalid_request` with the field at fault. */
export function checkClient(client: Client): Client {
  if (client.name.trim() === '') throw invalid('name', 'A client has a name.');
  checkScopes(client.scopes);
  for (const uri of client.redirect_uris) {
    if (!isRedirectUri(uri)) {
      throw invalid('redirect_uris', 'Absolute https addresses without fragment, or http on loopback.');
    }
  }
  return client;
}

/** The scopes of a list without repetition. Throws `invalid_request` where one is unknown. */
export function checkScopes(list: readonly string[]): Scope[] {
  const unknown = list.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw invalid('scopes', `There is no scope "${unknown}".`);
  return [...new Set(list)].filter(isScope);
}

/** An address that an authorization may lead back to; matched to the letter later on (D-171). */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return username === '' && password === '' && (protocol === 'https:' || (protocol === 'http:' && loopback));
}

/**
 * The scopes that a token of the client-credentials grant gets: the requested ones as far as they are approved, or,
 * where none is named, all approved ones that such a token can use (D-167).
 *
 * @param requested the `scope` parameter, separated by spaces
 * @throws AppError `invalid_scope` where nothing remains
 */
export function grantedScopes(client: Pick<Client, 'scopes'>, requested: string | undefined): Scope[] {
  const wanted = requested === undefined ? clientGrantScopes : requested.split(' ');
  const granted = client.scopes.filter((scope) => (wanted as readonly string[]).includes(scope));
  if (granted.length === 0) throw new AppError('invalid_scope');
  return granted;
}
