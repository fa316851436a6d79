/**
 * The forms of `/account` for name, password, sessions and connected apps. The audit log tells of each app whose access a person
 * limits or takes back (D-976).
 */
import { recordOwnAct } from '../people/index.ts';
import { browserOf, sessionToken, setDevice } from '../sessions/index.ts';
import { rememberNewPassword } from '../sign-in/index.ts';
import type { AccountPage, AccountRoutesDeps } from './account-page-routes.ts';
import { changeName } from './own-name.ts';
import { changePassword } from './own-password.ts';

export function profileRoutes(page: AccountPage, deps: AccountRoutesDeps): void {
  page.form('/name', async ({ user, form, reply }) => {
    await changeName(deps, user.user_id, form.get('name') ?? '');
    return page.redirectDone(reply, 'saved');
  });

  page.form('/password', async (sent) => {
    const { user, form, request, reply } = sent;
    const [password, new_password] = [form.get('password') ?? '', form.get('new_password') ?? ''];
    const { locale } = deps.pages.context(request);
    await changePassword(deps, user, sessionToken(request) ?? '', { password, new_password, locale });
    deps.onMail();
    await page.rotateSession(sent);
    const device = await rememberNewPassword(deps, browserOf(request).device, user);
    if (device !== null) setDevice(reply, device);
    return page.redirectDone(reply, 'password');
  });

  page.form('/sessions/end', async ({ user, request, reply }) => {
    await deps.sessions.endOthers(user.user_id, sessionToken(request) ?? '');
    await recordOwnAct(deps.db, deps, user.user_id, 'session.end-others');
    return page.redirectDone(reply, 'sessions');
  });

  page.form('/sessions/end-one', async ({ user, form, request, reply }) => {
    const ended = await deps.sessions.endOne(user, form.get('session_id') ?? '', sessionToken(request));
    if (ended !== null) {
      await recordOwnAct(deps.db, deps, user.user_id, 'session.end', { session_id: ended.session_id });
    }
    return page.redirectDone(reply, 'session');
  });

  page.form('/apps/limits', async ({ user, form, reply }) => {
    const client_id = form.get('client_id') ?? '';
    await deps.apps.limit(user.user_id, client_id, form);
    await recordOwnAct(deps.db, deps, user.user_id, 'app.limit', {
      client_id,
      max_per_payment: form.get('max_per_payment'),
      max_per_day: form.get('max_per_day'),
    });
    return page.redirectDone(reply, 'saved');
  });

  page.form('/apps/remove', async ({ user, form, reply }) => {
    const client_id = form.get('client_id') ?? '';
    if (await deps.apps.revoke(user.user_id, client_id)) {
      await recordOwnAct(deps.db, deps, user.user_id, 'app.remove', { client_id });
    }
    return page.redirectDone(reply, 'app');
  });
}
