/**
 * The forms of `/account` for the authenticator app and the recovery codes. Invariant: the secret of a new app is shown
 * and confirmed only within ten minutes after a proof of presence, so a thief of the session cannot finish a set-up that
 * the person has left unfinished.
 */
import { renderTotp } from '@paydesk/checkout';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { sendPage } from '../../http/page.ts';
import {
  confirmTotpEnrolment,
  factorsOf,
  issueRecoveryCodes,
  pendingTotpEnrolment,
  removeTotp,
  startTotpEnrolment,
} from '../factors/index.ts';
import type { SignedInUser } from '../people/index.ts';
import { isPresent, sessionIdOf, sessionToken } from '../sessions/index.ts';
import type { AccountPage, AccountRoutesDeps } from './account-page-routes.ts';
import { changeProtection } from './change-protection.ts';

export function factorRoutes(app: FastifyInstance, page: AccountPage, deps: AccountRoutesDeps): void {
  const account = `${app.site.public_url}/account`;
  const { context, errorHandler } = deps.pages;
  const sessionOf = (request: FastifyRequest): string => sessionIdOf(sessionToken(request)) ?? '';
  const isRecent = ({ proved_at }: SignedInUser): boolean => isPresent(proved_at, deps.clock.real());

  app.get('/account/totp', { errorHandler }, async (request, reply) => {
    const user = await page.userOf(request);
    if (user === null) return page.redirectToSignIn(reply);
    const pending = isRecent(user) ? await pendingTotpEnrolment(deps, user, sessionOf(request)) : null;
    if (pending === null) return reply.redirect(account, 303);
    const base = context(request);
    return sendPage(reply, renderTotp({ ...base, ...pending }), { nonce: base.nonce });
  });

  page.passwordForm('/totp', async ({ user, request, reply }) => {
    await startTotpEnrolment(deps, user, sessionOf(request));
    await deps.sessions.prove(sessionToken(request));
    return reply.redirect(`${account}/totp`, 303);
  });

  page.form('/totp/confirm', async (sent) => {
    const { user, form, request, reply } = sent;
    // The person starts again there, with the password.
    if (!isRecent(user)) return reply.redirect(account, 303);
    await deps.limits.take('second_factor', user.user_id);
    let codes: string[];
    try {
      const shown = { session_id: sessionOf(request), code: form.get('code') ?? '' };
      codes = await changeProtection(deps, user, (tx) => confirmTotpEnrolment(tx, deps, user.user_id, shown));
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.code !== 'invalid_code') throw refusal;
      const pending = await pendingTotpEnrolment(deps, user, sessionOf(request));
      if (pending === null) {
        // The recovery codes were reloaded, or their page was lost on its way: the code was right (D-1329).
        if ((await factorsOf(deps, user.user_id)).totp) return reply.redirect(account, 303);
        throw refusal;
      }
      const base = context(request);
      const html = renderTotp({ ...base, ...pending, said: { kind: 'bad', key: 'factor_wrong' } });
      return sendPage(reply, html, { nonce: base.nonce, status: refusal.status });
    }
    await deps.limits.forget('second_factor', user.user_id);
    await page.rotateSession(sent);
    return page.sendRecoveryCodes(sent, codes);
  });

  page.passwordForm('/totp/remove', async (sent) => {
    const { user } = sent;
    await changeProtection(deps, user, (tx) => removeTotp(tx, deps, user.user_id));
    await page.rotateSession(sent);
    return page.redirectDone(sent.reply, 'saved');
  });

  page.passwordForm('/recovery-codes', async (sent) => {
    const { user } = sent;
    const codes = await changeProtection(deps, user, (tx) => issueRecoveryCodes(tx, deps, user.user_id));
    return page.sendRecoveryCodes(sent, codes);
  });
}
