/** What an OAuth client is, and the rules for its settings and scopes. */
import { AppError, invalid } from '../../base/errors.ts';
import { checkRanges, isInRanges } from '../../base/input/caller-ranges.ts';
import type { KeySet } from './client-keys.ts';
import { clientGrantScopes, isScope, type Scope } from './scopes.ts';

export type ClientType = 'confidential' | 'public';

/** An application that asks for tokens, bound to at most one merchant. */
export interface Client {
  client_id: string;
  merchant_id: string | null;
  name: string;
  type: ClientType;
  /** Approved by an administrator. A token never has more scopes, and loses a scope that is removed here (D-169). */
  scopes: Scope[];
  redirect_uris: string[];
  /** Keyed digest of the secret; null for public clients, and for clients with their own keys. */
  secret_digest: Buffer | null;
  previous_secret_digest: Buffer | null;
  /** Until when the previous secret is valid too (D-170); real time. */
  previous_valid_until: Date | null;
  /** Its public keys. A client with keys proves itself by signed assertions and has no secret; null for all others. */
  jwks: KeySet | null;
  disabled: boolean;
  /** Tokens of another generation are refused: raising it ends every token of the client (D-170). */
  token_generation: number;
  /** Null where the platform disabled the client, or it is enabled. */
  disabled_by: 'merchant' | null;
  /** Ranges in CIDR notation from which the client may call; empty: from anywhere. */
  allowed_cidrs: string[];
  created_at: Date;
}

/** Checks the settings of a client. Throws `invalid_request` with `field`. */
export function checkClient(client: Client): Client {
  if (client.name.trim() === '') throw invalid('name', 'A client needs a name.');
  checkScopes(client.scopes);
  checkRanges('allowed_cidrs', client.allowed_cidrs);
  for (const uri of client.redirect_uris) {
    if (!isRedirectUri(uri)) {
      throw invalid(
        'redirect_uris',
        'Each redirect URI must be an absolute https address without a fragment, or http on loopback.',
      );
    }
  }
  return client;
}

/** Whether a client may call from this address. */
export const mayCallFrom = ({ allowed_cidrs }: Pick<Client, 'allowed_cidrs'>, address: string): boolean =>
  isInRanges(allowed_cidrs, address);

/** The scopes of a list without duplicates. Throws `invalid_request` where one is unknown. */
export function checkScopes(list: readonly string[]): Scope[] {
  const unknown = list.find((scope) => !isScope(scope));
  if (unknown !== undefined) throw invalid('scopes', `There is no scope "${unknown}".`);
  return [...new Set(list)].filter(isScope);
}

/** Whether a client may register this redirect URI. An authorization request must repeat it exactly (D-171). */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return username === '' && password === '' && (protocol === 'https:' || (protocol === 'http:' && loopback));
}

/**
 * The scopes that a token of the client-credentials grant gets: the requested scopes that are approved. Without a
 * request it gets all approved scopes that such a token can use (D-167).
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
