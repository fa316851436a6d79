import type { Client as LibraryClient, KoaContextWithOIDC, Provider as LibraryProvider } from 'oidc-provider';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { type FindClient, scopes, secretMatches } from '../clients/index.ts';
import { selectConsent, selectSubject } from '../consents/index.ts';
import { createAdapter } from './adapter.ts';
import { Provider } from './library.ts';
import { authorizePath, interactionPath, jwksPath, tokenPath } from './paths.ts';
import { actsForSomeone, askedScopes, askingPolicy } from './policy.ts';
import { signingKey } from './signing-key.ts';
import { visitorOf } from './visitor.ts';
import { clientCredentials } from './client-credentials.ts';

export interface ProviderDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  findClient: FindClient;
  findMerchant: FindMerchant;
  public_url: string;
  /** The name of a cookie for a path below the root (H-18), and whether it is Secure. */
  cookies: { name: (name: string) => string; secure: boolean };
}

/** Seconds of real time for which each thing is valid (D-168, D-171). */
const lives = {
  AccessToken: 3_600,
  AuthorizationCode: 60,
  ClientCredentials: 3_600,
  Grant: 3_600,
  IdToken: 3_600,
  Interaction: 3_600,
};

/**
 * The authorization server: the library's, on our tables, with our secrets, sessions and consents, and with a
 * client-credentials grant that follows the decisions D-165 to D-168.
 */
export function createProvider(deps: ProviderDeps): LibraryProvider {
  const { box, clock, db, findClient, ids, public_url, cookies } = deps;
  const base_path = new URL(public_url).pathname.replace(/\/$/, '');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: cookies.secure, signed: true } as const;
  const provider = new Provider(public_url, {
    adapter: createAdapter(deps),
    claims: { openid: ['sub'] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: () => true, // The token endpoint sends none of the headers (H-04).
    clientDefaults: { grant_types: [], response_types: [], id_token_signed_response_alg: 'ES256' },
    cookies: {
      keys: [box.derive('oauth-cookies', box.key_id).toString('base64url')],
      names: {
        session: cookies.name('oauth_session'),
        interaction: cookies.name('oauth_interaction'),
        resume: cookies.name('oauth_resume'),
      },
      short: cookie,
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    expiresWithSession: () => false,
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: (ctx, accountId) => account(deps, ctx, accountId),
    formats: { bitsOfOpaqueRandomness: 256 },
    interactions: {
      policy: askingPolicy(deps),
      url: (_ctx, { uid }) => `${base_path}${interactionPath}/${uid}`,
    },
    jwks: { keys: [signingKey(box)] },
    loadExistingGrant: (ctx) => grantOf(deps, ctx),
    pairwiseIdentifier: (_ctx, accountId, client) =>
      selectSubject(db, accountId, client.clientId, ids.secret(24)),
    pkce: { required: () => true },
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    responseTypes: ['code'],
    routes: { authorization: authorizePath, jwks: jwksPath, token: tokenPath },
    scopes,
    // Subjects are told apart by client, not by host: nothing is to be fetched from the addresses that stand for them.
    sectorIdentifierUriValidate: () => false,
    subjectTypes: ['pairwise'],
    ttl: lives,
  });
  provider.Client.prototype.compareClientSecret = async function compare(
    this: LibraryClient,
    secret: string,
  ) {
    const client = await findClient(this.clientId);
    return client !== null && secretMatches(box, client, secret, clock.real());
  };
  provider.registerGrantType('client_credentials', clientCredentials(deps), ['scope']);
  useOurSessions(provider);
  useOurAddresses(provider, public_url);
  return provider;
}

/** What the library lets us replace, beyond what its types tell of. */
interface Replaceable {
  Session: new () => {
    loginAccount(details: { accountId: string; loginTs: number; transient: boolean }): void;
  };
  OIDCContext: { prototype: { urlFor: (name: string, options?: object) => string } };
  pathFor: (name: string, options?: object) => string;
}

/**
 * Who is signed in is ours to know: the library gets a session made for the one request, and keeps none. After an
 * interaction the session is nobody's, because its outcome says whose it is.
 */
function useOurSessions(provider: LibraryProvider): void {
  const { Session } = provider as unknown as Replaceable;
  const get = (ctx: KoaContextWithOIDC): Promise<unknown> => {
    const session = new Session();
    // Without a uid interactions are not tied to it, and what is destroyed is not stored.
    Object.assign(session, { uid: '', destroyed: true });
    const visitor = ctx.oidc.route === 'authorization' ? visitorOf(ctx.req) : null;
    if (visitor !== null) {
      const loginTs = Math.floor(visitor.signed_in_at.getTime() / 1_000);
      session.loginAccount({ accountId: visitor.user_id, loginTs, transient: true });
    }
    (ctx.oidc as unknown as { entity: (name: string, value: unknown) => void }).entity('Session', session);
    return Promise.resolve(session);
  };
  Object.assign(Session, { get });
}

/** Addresses come from the configuration, never from the request (R-001, H-23). */
function useOurAddresses(provider: LibraryProvider, public_url: string): void {
  const { OIDCContext } = provider as unknown as Replaceable;
  const library = provider as unknown as Replaceable;
  OIDCContext.prototype.urlFor = (name, options) =>
    public_url + library.pathFor(name, { ...options, mountPath: '' });
}

/** A person as the library sees one, at the authorization and again when the code is used (R-313, D-166). */
async function account(
  { findClient, findMerchant }: ProviderDeps,
  ctx: KoaContextWithOIDC,
  accountId: string,
): Promise<{ accountId: string; claims: () => { sub: string } }> {
  const client = await findClient(ctx.oidc.client?.clientId ?? '');
  if (ctx.oidc.route === 'token' && (client === null || !(await actsForSomeone(client, findMerchant)))) {
    throw new AppError('merchant_inactive');
  }
  return { accountId, claims: () => ({ sub: accountId }) };
}

/**
 * A grant of its own for each authorization, made of what the person has allowed: so that a code that is used twice
 * takes back what came of that code, and no more (D-171).
 *
 * @returns undefined where the person has to be asked
 */
async function grantOf(deps: ProviderDeps, ctx: KoaContextWithOIDC) {
  const { client, account: person, provider } = ctx.oidc;
  if (client === undefined || person === undefined) return undefined;
  const consent = await selectConsent(deps.db, person.accountId, client.clientId);
  const asked = await askedScopes(deps, ctx);
  if (consent === null || asked.some((scope) => !consent.scopes.includes(scope))) return undefined;
  const grant = new provider.Grant({ accountId: person.accountId, clientId: client.clientId });
  grant.addOIDCScope(asked.join(' '));
  await grant.save();
  return grant;
}
