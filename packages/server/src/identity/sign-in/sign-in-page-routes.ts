/** `/sign-in`, `/sign-in/second-factor` and `/sign-out`: signing in and out by plain forms, without a script. */
import {
  type Purchase,
  renderSecondFactor,
  renderSignIn,
  type Said,
  type SignInContext,
} from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { setRetryAfter } from '../../http/error-reply.ts';
import { languageOf, type Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { isPageOfBrowser, refuseCrossSite, requireSameOrigin } from '../../http/same-origin.ts';
import { passkeysPossible, pendingSecondFactor } from '../factors/index.ts';
import { pendingToken, sessionToken } from '../sessions/index.ts';
import { confirmBrowser, signInBrowser, signOutBrowser } from './browser-sign-in.ts';
import { rememberLocale } from '../people/index.ts';
import { messageOf } from './refusal-message.ts';
import { ownAddress } from './return-to.ts';
import type { SessionRoutesDeps } from './session-routes.ts';

/**
 * The purchase whose checkout has this address, while it waits for its payment: checkout/ has it, which this module does
 * not know.
 */
export type PurchaseAt = (request: FastifyRequest, path: string) => Promise<Purchase | null>;

export type SignInPageDeps = SessionRoutesDeps & {
  pages: Pages;
  purchaseAt: PurchaseAt;
  /** Whether people can open accounts now. */
  isSignUpOpen: () => Promise<boolean>;
};

export function signInPageRoutes(app: FastifyInstance, deps: SignInPageDeps): void {
  signInRoutes(app, deps);
  secondFactorRoutes(app, deps);
  signOutRoute(app, deps);
}

/** Where the browser goes after signing in: always an address of Paydesk, whatever the request asked for. */
export const targetOf = ({ public_url }: FastifyInstance['site'], asked: unknown): string =>
  ownAddress(public_url, asked) ?? `${public_url}/account`;

/** The target as a form or a query carries it: the path below the host. */
export const pathOf = ({ origin }: FastifyInstance['site'], target: string): string =>
  target.slice(origin.length);

/** The address of a page of signing in that leads to `target` afterwards. */
function pageFor(site: FastifyInstance['site'], page: string, target: string): string {
  const query = new URLSearchParams({ return_to: pathOf(site, target) });
  return `${site.public_url}${page}?${query.toString()}`;
}

/** Whether an address may lead to an app: the answer of the authorization server goes to the app's own site. */
const mayLeadAway = (site: FastifyInstance['site'], target: string): boolean =>
  target.startsWith(`${site.public_url}/oauth/`);

/**
 * Where a form leads after signing in. A browser refuses a form whose redirects leave our site, because the policy of the
 * page allows forms only there. So its way to an app goes over the sign-in page, which leads on (D-931).
 */
const afterForm = (request: FastifyRequest, target: string): string => {
  const { site } = request.server;
  return isPageOfBrowser(request) && mayLeadAway(site, target) ? pageFor(site, '/sign-in', target) : target;
};

function signInRoutes(app: FastifyInstance, deps: SignInPageDeps): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;
  const passkeys = passkeysPossible(deps.origin);

  /** What stands beside the form: the purchase that the person comes from, and the way to an account. */
  const around = async (request: FastifyRequest, path: string) => ({
    purchase: await deps.purchaseAt(request, path),
    sign_up: await deps.isSignUpOpen(),
  });

  app.get('/sign-in', { errorHandler }, async (request, reply) => {
    const base = context(request);
    const { return_to, again, done } = request.query as Record<string, unknown>;
    const user = await deps.sessions.userOf(sessionToken(request));
    const target = targetOf(site, return_to);
    const path = pathOf(site, target);
    if (user !== null && again !== '1' && mayLeadAway(site, target))
      reply.header('refresh', `0; url=${target}`);
    const html = renderSignIn({
      ...base,
      ...(await around(request, path)),
      return_to: path,
      signed_in: user,
      again: again === '1',
      passkeys,
      said: done === 'reset' ? { kind: 'good', key: 'reset_done' } : undefined,
    });
    return sendPage(reply, html, { nonce: base.nonce });
  });

  app.post('/sign-in', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const [email, password] = [form.get('email') ?? '', form.get('password') ?? ''];
    const target = targetOf(site, form.get('return_to'));
    try {
      const person = await signInBrowser(deps, { email, password }, request, reply);
      await rememberLocale(deps.db, person.user_id, languageOf(request));
    } catch (refusal) {
      if (refusal instanceof AppError && refusal.code === 'second_factor_required') {
        return reply.redirect(pageFor(site, '/sign-in/second-factor', target), 303);
      }
      const error = signInError(refusal);
      if (!(refusal instanceof AppError) || error === undefined) throw refusal;
      setRetryAfter(reply, refusal);
      const base = context(request);
      const path = pathOf(site, target);
      const beside = await around(request, path);
      const html = renderSignIn({ ...base, ...beside, return_to: path, email, error, passkeys });
      return sendPage(reply, html, { nonce: base.nonce, status: refusal.status });
    }
    return reply.redirect(afterForm(request, target), 303);
  });
}

/** The refusals that show the form again. */
function signInError(refusal: unknown): SignInContext['error'] {
  if (!(refusal instanceof AppError)) return undefined;
  if (refusal.code === 'invalid_credentials') return { kind: 'invalid' };
  if (refusal.code !== 'rate_limited') return undefined;
  return { kind: 'limited', retry_after_s: refusal.detail.retry_after_s ?? 60 };
}

function secondFactorRoutes(app: FastifyInstance, deps: SignInPageDeps): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;
  const passkeys = passkeysPossible(deps.origin);

  /** Sends the page that asks for a code. Without a right password before, it redirects to the sign-in page. */
  async function sendCodePage(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    said?: Said,
    status = 200,
  ): Promise<FastifyReply> {
    if ((await pendingSecondFactor(deps, pendingToken(request))) === null) {
      return reply.redirect(pageFor(site, '/sign-in', target), 303);
    }
    const base = context(request);
    const html = renderSecondFactor({ ...base, return_to: pathOf(site, target), passkeys, said });
    return sendPage(reply, html, { nonce: base.nonce, status });
  }

  app.get('/sign-in/second-factor', { errorHandler }, (request, reply) =>
    sendCodePage(request, reply, targetOf(site, (request.query as { return_to?: unknown }).return_to)),
  );

  app.post('/sign-in/second-factor', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const target = targetOf(site, form.get('return_to'));
    try {
      const person = await confirmBrowser(deps, form.get('code') ?? '', request, reply);
      await rememberLocale(deps.db, person.user_id, languageOf(request));
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
      if (refusal.code === 'authentication_required') return sendCodePage(request, reply, target);
      const said = messageOf(refusal, { invalid_code: 'factor_wrong' });
      if (said === undefined) throw refusal;
      setRetryAfter(reply, refusal);
      return sendCodePage(request, reply, target, said, refusal.status);
    }
    return reply.redirect(afterForm(request, target), 303);
  });
}

function signOutRoute(app: FastifyInstance, deps: SignInPageDeps): void {
  const { site } = app;
  const { errorHandler } = deps.pages;
  app.post('/sign-out', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    requireSameOrigin(request);
    await signOutBrowser(deps, request, reply);
    const asked = (request.body as URLSearchParams).get('return_to');
    return reply.redirect(ownAddress(site.public_url, asked) ?? `${site.public_url}/sign-in`, 303);
  });
}
