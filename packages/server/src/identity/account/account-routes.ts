import {
  type AccountContext,
  renderAccount,
  renderRecoveryCodes,
  renderTotp,
  type Said,
} from '@paydesk/checkout';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { setRetryAfter } from '../../http/error-reply.ts';
import { sendPage } from '../../http/page.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { changeName, changePassword, demandPassword } from './account.ts';
import { saidOf, type SignInPageDeps, objectOf } from '../sign-in/index.ts';
import { fromOf, giveSession, keepPasskeyQuestion, passkeyToken, sessionToken } from '../sessions/index.ts';
import type { AppTokens } from '../password-reset/index.ts';
import {
  addPasskey,
  beginPasskey,
  passkeysPossible,
  removePasskey,
  beginApp,
  confirmApp,
  factorsOf,
  pendingApp,
  removeApp,
  renewRecoveryCodes,
} from '../factors/index.ts';
import type { SignedIn } from '../people/index.ts';

/** The apps that act for a person: known to oauth/, which this module does not know. */
export interface ConnectedApps extends AppTokens {
  listOf(user_id: string): Promise<AccountContext['apps']>;
  revoke(user_id: string, client_id: string): Promise<void>;
}

export interface AccountRoutesDeps extends SignInPageDeps {
  apps: ConnectedApps;
  /** Whether mail can be sent at all. */
  mail: boolean;
  /** Told that a mail is due. */
  onMail: () => void;
}

/** What the account page says after a form has done its work; the address names it. */
const notices: Readonly<Record<string, Said>> = {
  saved: { kind: 'good', key: 'saved' },
  password: { kind: 'good', key: 'password_changed' },
  sessions: { kind: 'good', key: 'sessions_ended' },
  app: { kind: 'good', key: 'app_removed' },
};

/** A form that somebody signed in has sent. */
interface Sent {
  user: SignedIn;
  form: URLSearchParams;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** `/account`: a person's own page, all of it by plain forms but passkeys, which need a script. */
export function accountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const { site } = app;
  const { sessions, pages } = deps;
  const { context, errorHandler } = pages;
  const account = `${site.public_url}/account`;
  const passkeys_possible = passkeysPossible(deps.origin);

  const signedIn = (request: FastifyRequest): Promise<SignedIn | null> =>
    sessions.userOf(sessionToken(request));

  async function sendAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    { user_id, name, email }: SignedIn,
    said?: Said,
    status = 200,
  ): Promise<FastifyReply> {
    const [factors, own, apps] = await Promise.all([
      factorsOf(deps, user_id),
      sessions.listOf(user_id, sessionToken(request)),
      deps.apps.listOf(user_id),
    ]);
    const base = context(request);
    const html = renderAccount({
      ...base,
      person: { name, email },
      factors: {
        ...factors,
        passkeys: factors.passkeys.map((key) => ({ ...key, created_at: rfc3339(key.created_at) })),
      },
      passkeys_possible,
      sessions: own.map((session) => ({ ...session, since: rfc3339(session.since) })),
      apps,
      said,
    });
    return sendPage(reply, html, { nonce: base.nonce, status });
  }

  const toSignIn = (reply: FastifyReply): FastifyReply => {
    const query = new URLSearchParams({ return_to: `${site.base_path}/account` });
    return reply.redirect(`${site.public_url}/sign-in?${query.toString()}`, 303);
  };

  app.get('/account', { errorHandler }, async (request, reply) => {
    const user = await signedIn(request);
    if (user === null) return toSignIn(reply);
    const { done } = request.query as { done?: unknown };
    return sendAccount(request, reply, user, typeof done === 'string' ? notices[done] : undefined);
  });

  /** A form of the account page: what it refuses is said on the page, with the status of the refusal. */
  function form(path: string, work: (sent: Sent) => Promise<FastifyReply>): void {
    app.post(`/account${path}`, { errorHandler, config: { body: 'form' } }, async (request, reply) => {
      requireSameOrigin(request);
      const user = await signedIn(request);
      if (user === null) return toSignIn(reply);
      try {
        return await work({ user, form: request.body as URLSearchParams, request, reply });
      } catch (refusal) {
        if (!(refusal instanceof AppError) || refusal.status >= 500) throw refusal;
        const said = saidOf(refusal, {
          invalid_credentials: 'password_wrong',
          invalid_request: refusal.detail.field === 'name' ? 'name_bad' : 'password_bad',
          invalid_code: 'factor_wrong',
        });
        setRetryAfter(reply, refusal);
        return sendAccount(request, reply, user, said, refusal.status);
      }
    });
  }

  const done = (reply: FastifyReply, what: keyof typeof notices): FastifyReply =>
    reply.redirect(`${account}?done=${what}`, 303);

  /** What was just changed decides who gets in: the session goes on under a new token (H-18). */
  async function rotate({ user, request, reply }: Pick<Sent, 'user' | 'request' | 'reply'>): Promise<void> {
    giveSession(reply, await sessions.begin(user.user_id, fromOf(request)));
  }

  const withPassword = (path: string, work: (sent: Sent) => Promise<FastifyReply>): void => {
    form(path, async (sent) => {
      await demandPassword(deps, sent.user, sent.form.get('password') ?? '');
      return work(sent);
    });
  };

  const sendCodes = (request: FastifyRequest, reply: FastifyReply, codes: string[]): FastifyReply => {
    const base = context(request);
    return sendPage(reply, renderRecoveryCodes({ ...base, codes }), { nonce: base.nonce });
  };

  form('/name', async ({ user, form: sent, reply }) => {
    await changeName(deps, user.user_id, sent.get('name') ?? '');
    return done(reply, 'saved');
  });

  form('/password', async (sent) => {
    const [password, new_password] = [sent.form.get('password') ?? '', sent.form.get('new_password') ?? ''];
    const { locale } = context(sent.request);
    const change = { password, new_password, locale };
    await changePassword(deps, sent.user, sessionToken(sent.request) ?? '', change);
    deps.onMail();
    await rotate(sent);
    return done(sent.reply, 'password');
  });

  form('/sessions/end', async ({ user, request, reply }) => {
    await sessions.endOthers(user.user_id, sessionToken(request) ?? '');
    return done(reply, 'sessions');
  });

  form('/apps/remove', async ({ user, form: sent, reply }) => {
    await deps.apps.revoke(user.user_id, sent.get('client_id') ?? '');
    return done(reply, 'app');
  });

  app.get('/account/totp', { errorHandler }, async (request, reply) => {
    const user = await signedIn(request);
    if (user === null) return toSignIn(reply);
    const pending = await pendingApp(deps, user);
    if (pending === null) return reply.redirect(account, 303);
    const base = context(request);
    return sendPage(reply, renderTotp({ ...base, ...pending }), { nonce: base.nonce });
  });

  withPassword('/totp', async ({ user, reply }) => {
    await beginApp(deps, user);
    return reply.redirect(`${account}/totp`, 303);
  });

  form('/totp/confirm', async (sent) => {
    const { user, request, reply } = sent;
    await deps.limits.take('second_factor', user.user_id);
    let codes: string[];
    try {
      codes = await confirmApp(deps, user.user_id, sent.form.get('code') ?? '');
    } catch (refusal) {
      const pending = await pendingApp(deps, user);
      if (!(refusal instanceof AppError) || refusal.code !== 'invalid_code' || pending === null)
        throw refusal;
      const base = context(request);
      const html = renderTotp({ ...base, ...pending, said: { kind: 'bad', key: 'factor_wrong' } });
      return sendPage(reply, html, { nonce: base.nonce, status: refusal.status });
    }
    await deps.limits.forget('second_factor', user.user_id);
    await rotate(sent);
    return sendCodes(request, reply, codes);
  });

  withPassword('/totp/remove', async (sent) => {
    await removeApp(deps, sent.user.user_id);
    await rotate(sent);
    return done(sent.reply, 'saved');
  });

  withPassword('/recovery-codes', async ({ user, request, reply }) => {
    return sendCodes(request, reply, await renewRecoveryCodes(deps, user.user_id));
  });

  withPassword('/passkeys/remove', async (sent) => {
    await removePasskey(deps, sent.user.user_id, sent.form.get('credential_id') ?? '');
    await rotate(sent);
    return done(sent.reply, 'saved');
  });

  if (!passkeys_possible) return;

  app.post('/account/passkeys/options', async (request, reply) => {
    requireSameOrigin(request);
    const user = await signedIn(request);
    if (user === null) throw new AppError('authentication_required');
    const { password } = objectOf(request.body as JsonValue);
    await demandPassword(deps, user, typeof password === 'string' ? password : '');
    const { options, token } = await beginPasskey(deps, user);
    keepPasskeyQuestion(reply, token);
    return options;
  });

  app.post('/account/passkeys', async (request, reply) => {
    requireSameOrigin(request);
    const user = await signedIn(request);
    if (user === null) throw new AppError('authentication_required');
    const answer = objectOf(request.body as JsonValue) as unknown as RegistrationResponseJSON;
    await addPasskey(deps, user.user_id, passkeyToken(request), answer);
    await rotate({ user, request, reply });
    return {};
  });
}
