/** `/forgot-password` and `/reset-password`: the pages that ask for a link, and that set a new password by it. */
import { type ForgotContext, renderForgot, renderReset } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { setRetryAfter } from '../../http/error-reply.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { refuseCrossSite } from '../../http/same-origin.ts';
import { browserOf, clearWayBack, setDevice, setWayBack, wayBackOf } from '../sessions/index.ts';
import { messageOf, pathOf, rememberAgain, type SignInLimits, targetOf } from '../sign-in/index.ts';
import {
  type AppTokens,
  requestReset,
  type ResetDeps,
  isResetValid,
  resetPassword,
} from './password-reset.ts';

export interface ResetRoutesDeps extends ResetDeps {
  box: SecretBox;
  limits: SignInLimits;
  pages: Pages;
  /** Whether a mail transport is configured. */
  mail: boolean;
  apps: AppTokens;
  /** Called when a mail was queued. */
  onMail: () => void;
}

export function passwordResetRoutes(app: FastifyInstance, deps: ResetRoutesDeps): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;

  function sendForgot(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    asked: Pick<ForgotContext, 'said' | 'email'> & { state?: 'sent' } = {},
    status = 200,
  ): FastifyReply {
    const base = context(request);
    const state = deps.mail ? (asked.state ?? 'ask') : 'off';
    const html = renderForgot({ ...base, ...asked, state, return_to: pathOf(site, target) });
    return sendPage(reply, html, { nonce: base.nonce, status });
  }

  app.get('/forgot-password', { errorHandler }, (request, reply) =>
    sendForgot(request, reply, targetOf(site, (request.query as { return_to?: unknown }).return_to)),
  );

  app.post('/forgot-password', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const target = targetOf(site, form.get('return_to'));
    if (!deps.mail) return sendForgot(request, reply, target, {}, 503);
    const email = form.get('email') ?? '';
    try {
      await requestReset(deps, { email, address: request.client_ip, locale: context(request).locale });
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.status >= 500) throw refusal;
      const said = messageOf(refusal, { invalid_request: 'sign_up_bad' });
      setRetryAfter(reply, refusal);
      return sendForgot(request, reply, target, { said, email }, refusal.status);
    }
    deps.onMail();
    if (form.has('return_to')) setWayBack(reply, pathOf(site, target));
    return sendForgot(request, reply, target, { state: 'sent' });
  });

  app.get('/reset-password', { errorHandler }, async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    const valid = typeof token === 'string' && (await isResetValid(deps, token)) ? token : null;
    const base = context(request);
    return sendPage(reply, renderReset({ ...base, token: valid }), { nonce: base.nonce });
  });

  app.post('/reset-password', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const token = form.get('token') ?? '';
    try {
      const { locale } = context(request);
      const person = await resetPassword(deps, token, { password: form.get('new_password') ?? '', locale });
      const device = await rememberAgain(deps, browserOf(request).device, person);
      if (device !== null) setDevice(reply, device);
      deps.onMail();
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.status >= 500) throw refusal;
      const base = context(request);
      const isOver = refusal.code === 'invalid_code';
      const html = renderReset({
        ...base,
        token: isOver ? null : token,
        said: messageOf(refusal, { invalid_request: 'password_bad' }),
      });
      return sendPage(reply, html, { nonce: base.nonce, status: isOver ? 410 : refusal.status });
    }
    const back = wayBackOf(request);
    const query = new URLSearchParams({ done: 'reset' });
    if (back !== null) {
      query.set('return_to', pathOf(site, targetOf(site, back)));
      clearWayBack(reply);
    }
    return reply.redirect(`${site.public_url}/sign-in?${query.toString()}`, 303);
  });
}
