import { renderSignIn, type SignInContext } from '@paydesk/checkout';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';
import { setRetryAfter } from '../http/error-reply.ts';
import type { Pages } from '../http/page-context.ts';
import { sendPage } from '../http/page.ts';
import { refuseCrossSite, requireSameOrigin } from '../http/same-origin.ts';
import { ownAddress } from './return-to.ts';
import { signInWith, signOut } from './session-routes.ts';
import type { SignInDeps } from './sign-in.ts';

/** `/sign-in` and `/sign-out`: the same by plain forms, without a script. */
export function pageRoutes(app: FastifyInstance, deps: SignInDeps & { pages: Pages }): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;
  const home = `${site.public_url}/sign-in`;

  /** Where to go afterwards: an own address, whatever was asked for. */
  const goal = (asked: unknown): string => ownAddress(site.public_url, asked) ?? home;
  /** As the form carries it: from the root of the host. */
  const pathOf = (address: string): string => address.slice(site.origin.length);

  app.get('/sign-in', { errorHandler }, (request, reply) => {
    const base = context(request);
    const { return_to } = request.query as { return_to?: unknown };
    const html = renderSignIn({ ...base, return_to: pathOf(goal(return_to)) });
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
      const error = explained(refusal);
      if (!(refusal instanceof AppError) || error === undefined) throw refusal;
      setRetryAfter(reply, refusal);
      const base = context(request);
      const html = renderSignIn({ ...base, return_to: pathOf(address), email, error });
      return sendPage(reply, html, { nonce: base.nonce, status: refusal.status });
    }
    return reply.redirect(address, 303);
  });

  app.post('/sign-out', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    requireSameOrigin(request);
    await signOut(deps, request, reply);
    return reply.redirect(goal((request.body as URLSearchParams).get('return_to')), 303);
  });
}

/** Which refusals show the form again, and how it puts them. */
function explained(refusal: unknown): SignInContext['error'] {
  if (!(refusal instanceof AppError)) return undefined;
  if (refusal.code === 'invalid_credentials') return { kind: 'invalid' };
  if (refusal.code !== 'rate_limited') return undefined;
  return { kind: 'limited', retry_after_s: refusal.detail.retry_after_s ?? 60 };
}
