/** `/sign-up`: a person asks for an account, and makes it by the link that comes by mail. */
import { renderConfirmSignUp, renderSignUp, type SignUpContext } from '@paydesk/checkout';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { setRetryAfter } from '../../http/error-reply.ts';
import { languageOf } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { refuseCrossSite, requireSameOrigin } from '../../http/same-origin.ts';
import { passkeysPossible } from '../factors/index.ts';
import { rememberLocale } from '../people/index.ts';
import { browserOf, clearPasskeyQuestion, passkeyToken, setPasskeyQuestion } from '../sessions/index.ts';
import {
  beginInBrowser,
  beginSessionFor,
  messageOf,
  objectOf,
  pathOf,
  type SignInPageDeps,
  targetOf,
} from '../sign-in/index.ts';
import {
  findSignUp,
  isSignUpOpen,
  type OpenSignUp,
  requestSignUp,
  signUpByPasskey,
  signUpByPassword,
  startSignUpPasskey,
} from './sign-up.ts';

export interface SignUpRoutesDeps extends SignInPageDeps {
  mail: boolean;
  /** Called when a mail was queued. */
  onMail: () => void;
}

export function signUpRoutes(app: FastifyInstance, deps: SignUpRoutesDeps): void {
  askRoutes(app, deps);
  confirmRoutes(app, deps);
  if (passkeysPossible(deps.origin)) passkeyRoutes(app, deps);
}

type Shown = Pick<SignUpContext, 'said' | 'email'> & { state?: 'ask' | 'sent' };

function askRoutes(app: FastifyInstance, deps: SignUpRoutesDeps): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    target: string,
    { state = 'ask', ...shown }: Shown = {},
    status = 200,
  ): Promise<FastifyReply> {
    const base = context(request);
    const return_to = pathOf(site, target);
    const open = await isSignUpOpen(deps);
    const purchase = await deps.purchaseAt(request, return_to);
    const html = renderSignUp({ ...base, ...shown, state: open ? state : 'off', return_to, purchase });
    return sendPage(reply, html, { nonce: base.nonce, status: open ? status : 403 });
  }

  app.get('/sign-up', { errorHandler }, (request, reply) =>
    send(request, reply, targetOf(site, (request.query as { return_to?: unknown }).return_to)),
  );

  app.post('/sign-up', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const email = form.get('email') ?? '';
    const target = targetOf(site, form.get('return_to'));
    if (!(await isSignUpOpen(deps))) return send(request, reply, target);
    try {
      const { locale } = context(request);
      const return_to = pathOf(site, target);
      await requestSignUp(deps, { email, address: request.client_ip, locale, return_to });
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.status >= 500) throw refusal;
      setRetryAfter(reply, refusal);
      const said = messageOf(refusal, { invalid_request: 'sign_up_bad' });
      return send(request, reply, target, { said, email }, refusal.status);
    }
    deps.onMail();
    return send(request, reply, target, { state: 'sent' });
  });
}

/** The link that a token opens; null where it is over, or the platform no longer opens accounts. */
const openLink = async (deps: SignUpRoutesDeps, token: unknown): Promise<OpenSignUp | null> =>
  typeof token === 'string' && (await isSignUpOpen(deps)) ? findSignUp(deps, token) : null;

/** Signs the browser in to the account that was just made. */
async function enter(
  deps: SignUpRoutesDeps,
  user_id: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const session = await beginSessionFor(deps, user_id, browserOf(request));
  await beginInBrowser(deps, { ...session, method: 'sign-up' }, request, reply);
  await rememberLocale(deps.db, user_id, languageOf(request));
}

function confirmRoutes(app: FastifyInstance, deps: SignUpRoutesDeps): void {
  const { site } = app;
  const { context, errorHandler } = deps.pages;
  const passkeys = passkeysPossible(deps.origin);

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    open: OpenSignUp | null,
    { refusal, name }: { refusal?: AppError; name?: string } = {},
  ): Promise<FastifyReply> {
    const base = context(request);
    const path = open === null ? null : pathOf(site, targetOf(site, open.return_to));
    const html = renderConfirmSignUp({
      ...base,
      passkeys,
      name,
      link: open === null || path === null ? null : { token, email: open.request.email, return_to: path },
      purchase: path === null ? null : await deps.purchaseAt(request, path),
      said:
        refusal === undefined
          ? undefined
          : messageOf(refusal, {
              invalid_request: refusal.detail.field === 'name' ? 'name_bad' : 'password_bad',
            }),
    });
    return sendPage(reply, html, {
      nonce: base.nonce,
      status: open === null ? 410 : (refusal?.status ?? 200),
    });
  }

  app.get('/sign-up/confirm', { errorHandler }, async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    return send(request, reply, String(token), await openLink(deps, token));
  });

  app.post('/sign-up/confirm', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    refuseCrossSite(request);
    const form = request.body as URLSearchParams;
    const token = form.get('token') ?? '';
    const name = form.get('name') ?? '';
    const open = await openLink(deps, token);
    if (open === null) return send(request, reply, token, null);
    let user_id: string;
    try {
      user_id = await signUpByPassword(deps, open, { name, password: form.get('password') ?? '' });
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.status >= 500) throw refusal;
      if (refusal.code === 'invalid_code') return send(request, reply, token, null);
      setRetryAfter(reply, refusal);
      return send(request, reply, token, open, { refusal, name });
    }
    await enter(deps, user_id, request, reply);
    return reply.redirect(targetOf(site, open.return_to), 303);
  });
}

/** The account with a passkey instead of a password; the browser's script sends these. */
function passkeyRoutes(app: FastifyInstance, deps: SignUpRoutesDeps): void {
  app.post('/sign-up/passkey/options', async (request, reply) => {
    requireSameOrigin(request);
    await deps.limits.take('passkey_options', request.client_ip);
    const { token, name } = objectOf(request.body as JsonValue);
    const open = await openLink(deps, token);
    if (open === null) throw new AppError('invalid_code');
    const asked = await startSignUpPasskey(deps, open, typeof name === 'string' ? name : '');
    setPasskeyQuestion(reply, asked.token);
    return asked.options;
  });

  app.post('/sign-up/passkey', async (request, reply) => {
    requireSameOrigin(request);
    const answer = objectOf(request.body as JsonValue) as unknown as RegistrationResponseJSON;
    if (!(await isSignUpOpen(deps))) throw new AppError('invalid_code');
    const user_id = await signUpByPasskey(deps, passkeyToken(request), answer);
    clearPasskeyQuestion(reply);
    await enter(deps, user_id, request, reply);
    return {};
  });
}
