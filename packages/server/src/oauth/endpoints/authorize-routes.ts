/**
 * The authorization endpoint and the consent page, where people let clients act for them (D-171). The page is ours;
 * the library turns the answer into the redirect to the client.
 */
import { type ConsentContext, renderConsent } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { recordAct } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import type { Limiter } from '../../http/rate-limit.ts';
import { isPageOfBrowser, requireSameOrigin } from '../../http/same-origin.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import type { FindClient } from '../clients/index.ts';
import {
  type AppLimits,
  insertConsent,
  isCodeAllowed,
  limitText,
  noLimits,
  readLimits,
  selectConsent,
} from '../consents/index.ts';
import {
  type CallLibrary,
  errors,
  authorizePath,
  endCode,
  interactionPath,
  setVisitor,
  signInPath,
  type Visitor,
} from '../provider/index.ts';
import { refuseLongRequest } from './request-size.ts';
import { type PendingRequest, createInteractions } from './interactions.ts';

/** The person whose session is in a `Cookie` header; null where no one is signed in. */
export type FindVisitor = (cookies: string | undefined) => Promise<Visitor | null>;

export interface AuthorizeDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  pages: Pages;
  provider: () => Promise<Provider>;
  call: CallLibrary;
  limiter: Limiter;
  findClient: FindClient;
  findMerchant: FindMerchant;
  findVisitor: FindVisitor;
  /** Whether the session in a `Cookie` header is still this person's, after any change of the account under way. */
  isStillSignedIn: (cookies: string | undefined, user_id: string) => Promise<boolean>;
}

type Ask = { Params: { uid: string } };

export function authorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): void {
  const { pages, call, findVisitor, limiter } = deps;
  const { site } = app;
  const isSignIn = (location: string): boolean => location.startsWith(`${site.base_path}${signInPath}?`);
  const { errorHandler } = pages;
  const interactions = createInteractions(deps);

  const authorize = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    refuseLongRequest(request.raw.url ?? '');
    refuseOtherModes(request);
    const visitor = await findVisitor(request.headers.cookie);
    setVisitor(request.raw, visitor);
    const { location, cookies, failure } = await call(request.raw, reply.raw);
    // The request of a person who must sign in first is not stored, so a cookie has nothing to name.
    if (isSignIn(location)) return reply.redirect(site.origin + location, 303);
    await refuseOvertaken(deps, request, visitor, location);
    for (const cookie of cookies) void reply.header('set-cookie', cookie);
    if (location !== '') return reply.redirect(location, 303);
    throw refusalOf(failure);
  };
  const limit = (request: FastifyRequest): Promise<void> => limiter.take('authorize', request.client_ip);
  app.get(authorizePath, { errorHandler, onRequest: limit }, authorize);
  app.get<Ask>(`${authorizePath}/:uid`, { errorHandler }, authorize);

  app.get<Ask>(`${interactionPath}/:uid`, { errorHandler }, async (request, reply) => {
    const asked = await interactions.find(request, reply, request.params.uid);
    const visitor = await findVisitor(request.headers.cookie);
    if (visitor === null || interactions.wantsNewSignIn(asked, visitor)) {
      const query = new URLSearchParams({ return_to: `${site.base_path}${interactionPath}/${asked.uid}` });
      if (visitor !== null) query.set('again', '1');
      return reply.redirect(`${site.public_url}${signInPath}?${query.toString()}`, 303);
    }
    if (await interactions.isAllowed(asked, visitor)) {
      return reply.redirect(await interactions.allow(request, reply, asked, visitor), 303);
    }
    return sendConsent(deps, request, reply, { asked, visitor });
  });

  app.post<Ask>(
    `${interactionPath}/:uid`,
    { errorHandler, config: { body: 'form' } },
    async (request, reply) => {
      requireSameOrigin(request);
      const decision = (request.body as URLSearchParams).get('decision');
      const asked = await interactions.find(request, reply, request.params.uid);
      const visitor = await findVisitor(request.headers.cookie);
      if (decision === 'deny')
        return leadOn(request, reply, visitor, await interactions.deny(request, reply));
      if (decision !== 'allow') throw new AppError('invalid_request');
      // The person has signed out or must sign in again: the page decides again.
      if (visitor === null || interactions.wantsNewSignIn(asked, visitor)) {
        return reply.redirect(`${site.public_url}${interactionPath}/${asked.uid}`, 303);
      }
      // The signed-in person must be the one whom the page named.
      if ((request.body as URLSearchParams).get('person') !== visitor.user_id) {
        return reply.redirect(`${site.public_url}${interactionPath}/${asked.uid}`, 303);
      }
      const form = request.body as URLSearchParams;
      try {
        await keepConsent(deps, asked, visitor, form);
      } catch (refusal) {
        if (!(refusal instanceof AppError) || refusal.code !== 'invalid_request') throw refusal;
        return sendConsent(deps, request, reply, { asked, visitor, typed: form });
      }
      return leadOn(request, reply, visitor, await interactions.allow(request, reply, asked, visitor));
    },
  );
}

/**
 * Goes on after the form of the consent page. A browser goes over the sign-in page, which ends the chain of redirects: it
 * refuses a form whose redirects come to a site that the policy of its page does not name, and an app may send it on to
 * another site (D-931).
 */
function leadOn(
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor | null,
  address: string,
): FastifyReply {
  if (visitor === null || !isPageOfBrowser(request)) return reply.redirect(address, 303);
  const query = new URLSearchParams({ return_to: new URL(address).pathname });
  return reply.redirect(`${reply.server.site.public_url}${signInPath}?${query.toString()}`, 303);
}

/**
 * Ends the code of a redirect if the person whose code it is is not signed in here any more: the answer of the consent page
 * waits in cookies of its own, which outlive the session (D-970). Ends it also if session or consent have ended while the
 * code was made: the change of the password, the disabling of the account, or the removal of the app may have deleted the
 * person's codes before this one was stored (D-937).
 *
 * @throws AppError `authorization_expired`
 */
async function refuseOvertaken(
  { db, isStillSignedIn }: AuthorizeDeps,
  { headers }: FastifyRequest,
  visitor: Visitor | null,
  location: string,
): Promise<void> {
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
  if (code === null) return;
  const isAllowed =
    visitor !== null &&
    (await isStillSignedIn(headers.cookie, visitor.user_id)) &&
    (await isCodeAllowed(db, code, visitor.user_id));
  if (isAllowed) return;
  await endCode(db, code);
  throw new AppError('authorization_expired');
}

/** Whether a client may pay from the person's balance: then the person can limit it. */
const mayPay = ({ scopes }: PendingRequest): boolean => scopes.includes('payments.create');

/**
 * Stores the consent with its limits, and tells the audit log (D-976). Limits that the form does not have stay. Throws
 * `invalid_request`.
 */
async function keepConsent(
  deps: AuthorizeDeps,
  asked: PendingRequest,
  { user_id }: Visitor,
  form: URLSearchParams,
): Promise<void> {
  const { client_id } = asked.client;
  const { scopes } = asked;
  const limits = mayPay(asked) && form.has('max_per_payment') ? readLimits(form) : null;
  const person = `user:${user_id}`;
  await deps.db.transaction(async (tx) => {
    await insertConsent(tx, { user_id, client_id, scopes, given_at: deps.clock.now(), limits });
    const after = { client_id, scopes, ...(limits && textsOf(limits)) };
    await recordAct(tx, deps, { actor: person, action: 'app.allow', target: person, after });
  });
}

const textsOf = ({ max_per_payment, max_per_day }: AppLimits) => ({
  max_per_payment: limitText(max_per_payment),
  max_per_day: limitText(max_per_day),
});

/**
 * Sends the page that asks the person whether the client may act for them.
 *
 * @param typed a form with invalid limits: it is shown again
 */
async function sendConsent(
  { db, pages }: AuthorizeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { asked, visitor, typed }: { asked: PendingRequest; visitor: Visitor; typed?: URLSearchParams },
): Promise<FastifyReply> {
  const { uid, client, merchant, scopes, redirect_uri } = asked;
  const { user_id, name } = visitor;
  const base = pages.context(request);
  const before = (await selectConsent(db, user_id, client.client_id)) ?? noLimits;
  const { origin, host } = new URL(redirect_uri);
  const page: ConsentContext = {
    ...base,
    action: `${base.base_path}${interactionPath}/${uid}`,
    sign_in_path: base.base_path + signInPath,
    client: client.name,
    merchant: merchant?.name ?? null,
    scopes,
    person: { user_id, name },
    host,
    limits: mayPay(asked)
      ? {
          max_per_payment: typed?.get('max_per_payment') ?? limitText(before.max_per_payment),
          max_per_day: typed?.get('max_per_day') ?? limitText(before.max_per_day),
        }
      : null,
    said: typed === undefined ? undefined : { kind: 'bad', key: 'limit_bad' },
  };
  const status = typed === undefined ? 200 : 400;
  return sendPage(reply, renderConsent(page), { nonce: base.nonce, status, form_action: [origin] });
}

/** The answer goes into the query of the redirect URI; other response modes are refused. */
function refuseOtherModes({ query }: FastifyRequest): void {
  const { response_mode = 'query' } = query as { response_mode?: unknown };
  if (response_mode !== 'query') throw new AppError('invalid_authorization_request');
}

/**
 * The error for the browser where a redirect is not safe: the client or its redirect URI is not verified, or the client has no
 * approved scope that a person can grant (D-936).
 */
function refusalOf(failure: Error | undefined): Error {
  if (failure instanceof errors.OIDCProviderError && failure.expose) {
    return new AppError('invalid_authorization_request');
  }
  return failure ?? new AppError('server_error');
}
