import type {
  Client as LibraryClient,
  Provider as LibraryProvider,
  TokenEndpointGrantContext,
} from 'oidc-provider';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db.ts';
import { AppError, InvariantError } from '../base/errors.ts';
import type { LiveCache } from '../base/live-cache.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { FindMerchant } from '../merchants/read-merchants.ts';
import { createAdapter } from './adapter.ts';
import { type Client, grantedScopes, secretMatches } from './client.ts';
import type { FindClient } from './clients.ts';
import { Provider } from './library.ts';
import { tokenPath } from './metadata.ts';
import { scopes } from './scopes.ts';
import { signingKey } from './signing-key.ts';

export interface ProviderDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  box: SecretBox;
  findClient: FindClient;
  findMerchant: FindMerchant;
  public_url: string;
}

/** Seconds for which an access token is valid; real time (D-168). */
const tokenLife_s = 3_600;

/**
 * The authorization server: the library's, on our tables, with our secrets, and with a client-credentials grant
 * that follows the decisions D-165 to D-168.
 */
export function createProvider(deps: ProviderDeps): LibraryProvider {
  const { box, clock, findClient, public_url } = deps;
  const provider = new Provider(public_url, {
    adapter: createAdapter(deps),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: () => true, // The token endpoint sends none of the headers (H-04).
    clientDefaults: { grant_types: [], response_types: [], id_token_signed_response_alg: 'ES256' },
    cookies: { keys: [box.derive('oauth-cookies', box.key_id).toString('base64url')] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    formats: { bitsOfOpaqueRandomness: 256 },
    jwks: { keys: [signingKey(box)] },
    responseTypes: [],
    routes: { token: tokenPath },
    scopes,
    ttl: { ClientCredentials: tokenLife_s },
  });
  provider.Client.prototype.compareClientSecret = async function compare(
    this: LibraryClient,
    secret: string,
  ) {
    const client = await findClient(this.clientId);
    return client !== null && secretMatches(box, client, secret, clock.real());
  };
  provider.registerGrantType('client_credentials', clientCredentials(deps), ['scope']);
  return provider;
}

type GrantContext = TokenEndpointGrantContext<{ scope?: string }>;

/** Issues a token to a client whose secret was right: one insert, no refresh token. */
function clientCredentials({ findClient, findMerchant }: ProviderDeps) {
  return async (ctx: GrantContext): Promise<void> => {
    const { client, params, provider } = ctx.oidc;
    const known = await findClient(client.clientId);
    if (known === null) throw new InvariantError('a client vanished while it was authenticated');
    await refuseUnbound(known, findMerchant);
    const scope = grantedScopes(known, params.scope).join(' ');
    const token = new provider.ClientCredentials({ client, scope });
    const access_token = await token.save();
    ctx.body = { access_token, token_type: token.tokenType, expires_in: token.expiration, scope };
  };
}

async function refuseUnbound(client: Client, findMerchant: FindMerchant): Promise<void> {
  if (client.type === 'public' || client.merchant_id === null) throw new AppError('unauthorized_client');
  const merchant = await findMerchant(client.merchant_id);
  if (merchant?.status !== 'active') throw new AppError('merchant_inactive');
}
