/** The authorization server: `oidc-provider` on our tables, with our secrets, sessions and consents. */
import type { Client as LibraryClient, KoaContextWithOIDC, Provider as LibraryProvider } from 'oidc-provider';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { selectPerson } from '../../identity/people/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { assertionAlgorithms, type FindClient, scopes, secretMatches } from '../clients/index.ts';
import { selectConsent, ensureSubject } from '../consents/index.ts';
import { createAdapter } from './adapter.ts';
import { errors, Provider } from './load-library.ts';
import { epochOf, libraryIsBehind_s } from './library-time.ts';
import { authorizePath, interactionPath, jwksPath, revocationPath, signInPath, tokenPath } from './paths.ts';
import { mayAct, askedScopes, askingPolicy } from './consent-policy.ts';
import type { PrivateJwk } from './new-signing-key.ts';
import { visitorOf } from './visitor.ts';
import { clientCredentials } from './client-credentials-grant.ts';
import { useOurCookies } from './secure-cookies.ts';

export interface ProviderDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  findClient: FindClient;
  findMerchant: FindMerchant;
  /** Counts requests: the limiter of http/, which this room does not know. */
  limiter: { take(group: 'revoke', key: string): Promise<void> };
  public_url: string;
  /** The name of a cookie for a path below the root (H-18), and whether it is Secure. */
  cookies: { name: (name: string) => string; secure: boolean };
}

/** How long each thing is valid, in seconds of real time (R-320, D-168, D-171). */
export const lifetimes_s = {
  AccessToken: 3_600,
  AuthorizationCode: 60,
  ClientCredentials: 3_600,
  Grant: 3_600,
  IdToken: 3_600,
  Interaction: 3_600,
};

/** @param key signs ID tokens */
export function createProvider(deps: ProviderDeps, key: PrivateJwk): LibraryProvider {
  const { box, clock, db, findClient, ids, public_url, cookies } = deps;
  const base_path = new URL(public_url).pathname.replace(/\/$/, '');
  const cookie = { httpOnly: true, sameSite: 'lax', secure: cookies.secure, signed: true } as const;
  const provider = new Provider(public_url, {
    adapter: createAdapter(deps),
    claims: { openid: ['sub'] },
    assertJwtClientAuthClaimsAndHeader: (_ctx, claims) => {
      checkAssertionTimes(claims, clock.real());
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientBasedCORS: () => true, // The token endpoint sends none of the headers (H-04).
    clientDefaults: { grant_types: [], response_types: [], id_token_signed_response_alg: 'ES256' },
    cookies: {
      keys: [box.derive('oauth-cookies', box.inner_key_id).toString('base64url')],
      names: {
        session: cookies.name('oauth_session'),
        interaction: cookies.name('oauth_interaction'),
        resume: cookies.name('oauth_resume'),
      },
      short: cookie,
    },
    clockTolerance: libraryTolerance_s,
    enabledJWA: { clientAuthSigningAlgValues: [...assertionAlgorithms], idTokenSigningAlgValues: ['ES256'] },
    expiresWithSession: () => false,
    // The generation that the client had when it authenticated goes into each of its tokens (D-170).
    extraClientMetadata: { properties: ['token_generation'] },
    extraTokenClaims: ({ oidc }) => ({ generation: oidc.client?.token_generation }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: allowRevocation(deps) },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: (ctx, accountId) => findAccount(deps, ctx, accountId),
    formats: { bitsOfOpaqueRandomness: 256 },
    interactions: {
      policy: askingPolicy(deps),
      url: (ctx, { uid, session }) =>
        base_path + (session === undefined ? signInFirst(ctx, base_path) : `${interactionPath}/${uid}`),
    },
    jwks: { keys: [key] },
    loadExistingGrant: (ctx) => createGrant(deps, ctx),
    pairwiseIdentifier: (_ctx, accountId, client) =>
      ensureSubject(db, accountId, client.clientId, ids.secret(24)),
    pkce: { required: () => true },
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    responseTypes: ['code'],
    routes: { authorization: authorizePath, jwks: jwksPath, revocation: revocationPath, token: tokenPath },
    scopes,
    // A `sub` depends on the client, not on a host, so the library must not fetch the sector's address.
    sectorIdentifierUriValidate: () => false,
    // Each client knows a person by another `sub` (D-174).
    subjectTypes: ['pairwise'],
    // The library adds this to its own time.
    ttl: { ...lifetimes_s, IdToken: () => lifetimes_s.IdToken + libraryIsBehind_s(clock) },
  });
  provider.Client.prototype.compareClientSecret = async function compare(
    this: LibraryClient,
    secret: string,
  ) {
    const client = await findClient(this.clientId);
    return client !== null && secretMatches(box, client, secret, clock.real());
  };
  provider.registerGrantType('client_credentials', clientCredentials(deps), ['scope']);
  useOurSessions(provider, clock);
  useOurCookies(provider, cookies.secure);
  useOurTime(provider, clock);
  storeOnlyWithPerson(provider);
  useOurAddresses(provider, public_url);
  return provider;
}

/** How far the clocks of clients may be off. */
const clockTolerance_s = 15;
/** Until its end, the use of an assertion is kept in mind. */
const longestAssertion_s = 3_600;

/** The library compares an assertion with the local clock, and so less strictly than `checkAssertionTimes`. */
const libraryTolerance_s = 3_600;

/** An assertion is valid now, by the database's time, and not for long. The library has checked the types. */
function checkAssertionTimes({ exp, nbf }: { exp?: unknown; nbf?: unknown }, real: Date): void {
  const now = real.getTime() / 1_000;
  if (typeof exp !== 'number' || exp > now + longestAssertion_s + clockTolerance_s) {
    throw new errors.InvalidClientAuth('the assertion is valid for more than an hour');
  }
  if (exp <= now - clockTolerance_s) throw new errors.InvalidClientAuth('the assertion has expired');
  if (typeof nbf === 'number' && nbf > now + clockTolerance_s) {
    throw new errors.InvalidClientAuth('the assertion is not valid yet');
  }
}

/** Tells in ID tokens when they were issued, by the database's time. */
function useOurTime(provider: LibraryProvider, clock: Clock): void {
  const { IdToken } = provider as unknown as Replaceable;
  const { payload } = IdToken.prototype;
  IdToken.prototype.payload = async function payloadInTime() {
    return { ...(await payload.call(this)), iat: epochOf(clock.real()) };
  };
}

/** A client ends its own tokens only (RFC 7009 section 2.1), and not too many at a time. */
const allowRevocation =
  ({ limiter }: ProviderDeps) =>
  async (_ctx: KoaContextWithOIDC, client: LibraryClient, token: { clientId?: string | undefined }) => {
    if (token.clientId !== client.clientId) {
      throw new errors.InvalidRequest('the token was issued to another client');
    }
    await limiter.take('revoke', client.clientId);
    return true;
  };

/** Parts of the library that can be replaced but are missing in its types. */
interface Replaceable {
  IdToken: { prototype: { payload: () => Promise<Record<string, unknown>> } };
  Session: new () => {
    loginAccount(details: { accountId: string; loginTs: number; transient: boolean }): void;
  };
  OIDCContext: { prototype: { urlFor: (name: string, options?: object) => string } };
  pathFor: (name: string, options?: object) => string;
}

/**
 * Replaces the library's sessions by ours: each request gets a session object made from our session, and nothing is
 * stored. After an interaction the object has no person, because the outcome of the interaction names the person.
 */
function useOurSessions(provider: LibraryProvider, clock: Clock): void {
  const { Session } = provider as unknown as Replaceable;
  const get = (ctx: KoaContextWithOIDC): Promise<unknown> => {
    const session = new Session();
    // Without a uid, interactions are not bound to the session. A destroyed session is not stored.
    Object.assign(session, { uid: '', destroyed: true });
    const visitor = ctx.oidc.route === 'authorization' ? visitorOf(ctx.req) : null;
    if (visitor !== null) {
      const loginTs = epochOf(visitor.signed_in_at);
      const past = (age: number | string) => epochOf(clock.real()) - loginTs > Number(age);
      Object.assign(session, { past });
      session.loginAccount({ accountId: visitor.user_id, loginTs, transient: true });
    }
    (ctx.oidc as unknown as { entity: (name: string, value: unknown) => void }).entity('Session', session);
    return Promise.resolve(session);
  };
  Object.assign(Session, { get });
}

/** Stores no request before a person is known: strangers cannot fill the database. */
function storeOnlyWithPerson({ Interaction }: LibraryProvider): void {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the interaction as its `this`
  const { save } = Interaction.prototype;
  Interaction.prototype.save = function saveWithPerson(ttl) {
    return this.session === undefined ? Promise.resolve(this.jti) : save.call(this, ttl);
  };
}

/**
 * The address where someone signs in and then makes the same request again. That sign-in is the new one which the
 * request may demand, so it is not demanded a second time.
 */
function signInFirst({ oidc }: KoaContextWithOIDC, base_path: string): string {
  const { prompt, max_age, ...params } = oidc.params ?? {};
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string') asked.set(name, value);
  }
  const prompts = typeof prompt === 'string' ? prompt.split(' ').filter((one) => one !== 'login') : [];
  if (prompts.length > 0) asked.set('prompt', prompts.join(' '));
  if (max_age !== undefined) asked.set('max_age', String(Math.max(Number(max_age), signInTakes_s)));
  const return_to = `${base_path}${authorizePath}?${asked.toString()}`;
  return `${signInPath}?${new URLSearchParams({ return_to }).toString()}`;
}

/** The longest time between a sign-in and the request that follows it. */
const signInTakes_s = 60;

/** Makes addresses from the configuration, never from the request (R-001, H-23). */
function useOurAddresses(provider: LibraryProvider, public_url: string): void {
  const { OIDCContext } = provider as unknown as Replaceable;
  const library = provider as unknown as Replaceable;
  OIDCContext.prototype.urlFor = (name, options) =>
    public_url + library.pathFor(name, { ...options, mountPath: '' });
}

/**
 * The account for the library. It asks at the authorization and again when the code is used, where an inactive
 * merchant is refused (R-313, D-166), and a person who was disabled meanwhile.
 */
async function findAccount(
  { db, findClient, findMerchant }: ProviderDeps,
  ctx: KoaContextWithOIDC,
  accountId: string,
): Promise<{ accountId: string; claims: () => { sub: string } }> {
  const client = await findClient(ctx.oidc.client?.clientId ?? '');
  if (ctx.oidc.route === 'token') {
    if (client === null || !(await mayAct(client, findMerchant))) throw new AppError('merchant_inactive');
    if ((await selectPerson(db, accountId))?.disabled_at !== null) throw new AppError('invalid_grant');
  }
  return { accountId, claims: () => ({ sub: accountId }) };
}

/**
 * Creates a grant for this authorization, if the person has allowed all of it. Each authorization has its own grant, so
 * that a code that is used twice ends only the tokens of that code (D-171).
 *
 * @returns undefined where the person must be asked
 */
async function createGrant(deps: ProviderDeps, ctx: KoaContextWithOIDC) {
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
