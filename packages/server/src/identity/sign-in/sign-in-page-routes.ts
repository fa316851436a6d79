import { renderSecondFactor, renderSignIn, type Said, type SignInContext } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { setRetryAfter } from '../../http/error-reply.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { refuseCrossSite, requireSameOrigin } from '../../http/same-origin.ts';
import { selectOneTime } from '../one-time-tokens/index.ts';
import { ownAddress } from './return-to.ts';
import { confirmWith, signInWith, signOut } from './browser-sign-in.ts';
import { pendingToken, sessionToken } from '../sessions/index.ts';
import type { SessionRoutesDeps } from './session-routes.ts';
import { passkeysPossible } from '../factors/index.ts';

export type SignInPageDeps = SessionRoutesDeps & { pages: Pages };

/** `/sign-in`, its second step, and `/sign-out`: the same by plain forms, without a script. */
export function pageRoutes(app: FastifyInstance, deps: SignInPageDeps): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;
  const home = `${site.public_url}/account`;
  const passkeys = passkeysPossible(deps.origin);

  /** Where to go afterwards: an own address, whatever was asked for. */
  const goal = (asked: unknown): string => ownAddress(site.public_url, asked) ?? home;
  /** As the form carries it: from the root of the host. */
  const pathOf = (address: string): string => address.slice(site.origin.length);

  app.get('/sign-in', { errorHandler }, async (request, reply) => {
    const base = context(request);
    const { return_to, again, done } = request.query as Record<string, unknown>;
    const user = await deps.sessions.userOf(sessionToken(request));
    const html = renderSignIn({
      ...base,
      return_to: pathOf(goal(return_to)),
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
    const address = goal(form.get('return_to'));
    try {
      await signInWith(deps, { email, password }, request, reply);
    } catch (refusal) {
      if (refusal instanceof AppError && refusal.code === 'second_factor_required') {
        const query = new URLSearchParams({ return_to: pathOf(address) });
        return reply.redirect(`${site.public_url}/sign-in/second-factor?${query.toString()}`, 303);
      }
      const error = explained(refusal);
      if (!(refusal instanceof AppError) || error === undefined) throw refusal;
      setRetryAfter(reply, refusal);
      const base = context(request);
      const html = renderSignIn({ ...base, return_to: pathOf(address), email, error, passkeys });
      return sendPage(reply, html, { nonce: base.nonce, status: refusal.status });
    }
    return reply.redirect(address, 303);
  });

  /** The page that asks for a code; without a right password before, the way leads back to where that is asked for. */
  async function askCode(
    request: FastifyRequest,
    reply: FastifyReply,
    address: string,
    said?: Said,
    status = 200,
  ): Promise<FastifyReply> {
    const pending = pendingToken(request);
    const known =
      pending === null ? null : await selectOneTime(deps.db, pending, 'second_factor', deps.clock.real());
    if (known === null) {
      const query = new URLSearchParams({ return_to: pathOf(address) });
      return reply.redirect(`${site.public_url}/sign-in?${query.toString()}`, 303);
    }
    const base = context(request);
    const html = renderSecondFactor({ ...base, return_to: pathOf(address), passkeys, said });
    return sendPage(reply, html, { nonce: base.nonce, status });
  }

  app.get('/sign-in/second-factor', { errorHandler }, (request, reply) =>
    askCode(request, reply, goal((request.query as { return_to?: unknown }).return_to)),
  );

  app.post('/sign-in/second-factor', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const address = goal(form.get('return_to'));
    try {
      await confirmWith(deps, form.get('code') ?? '', request, reply);
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
      if (refusal.code === 'authentication_required') return askCode(request, reply, address);
      const said = saidOf(refusal, { invalid_code: 'factor_wrong' });
      if (said === undefined) throw refusal;
      setRetryAfter(reply, refusal);
      return askCode(request, reply, address, said, refusal.status);
    }
    return reply.redirect(address, 303);
  });

  app.post('/sign-out', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    requireSameOrigin(request);
    await signOut(deps, request, reply);
    const asked = (request.body as URLSearchParams).get('return_to');
    return reply.redirect(ownAddress(site.public_url, asked) ?? `${site.public_url}/sign-in`, 303);
  });
}

/** What a page says about a refusal; undefined where it has no words for it. */
export function saidOf(
  { code, detail }: AppError,
  words: Partial<Record<AppError['code'], Extract<Said, { kind: 'bad' }>['key']>>,
): Said | undefined {
  if (code === 'rate_limited') return { kind: 'limited', retry_after_s: detail.retry_after_s ?? 60 };
  const key = words[code];
  return key === undefined ? undefined : { kind: 'bad', key };
}

/** Which refusals show the form again, and how it puts them. */
function explained(refusal: unknown): SignInContext['error'] {
  if (!(refusal instanceof AppError)) return undefined;
  if (refusal.code === 'invalid_credentials') return { kind: 'invalid' };
  if (refusal.code !== 'rate_limited') return undefined;
  return { kind: 'limited', retry_after_s: refusal.detail.retry_after_s ?? 60 };
}
