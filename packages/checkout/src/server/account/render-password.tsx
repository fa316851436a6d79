/** The pages for a forgotten password, and the mails about passwords. */
import { isLocale } from '../../model/locale.ts';
import { accountUi, type BaseContext } from '../document.tsx';
import { NewPassword } from './new-password.tsx';
import { renderPanelPage } from './panel-page.tsx';
import type { Said } from './said-box.tsx';

export interface ForgotContext extends BaseContext {
  /** `off` if the service cannot send mail. */
  state: 'ask' | 'sent' | 'off';
  /** The path of this service to go to after the sign-in, already checked. */
  return_to: string;
  /** The address that was typed before. */
  email?: string | undefined;
  said?: Said | undefined;
}

/** Asks for the address to send a reset link to. */
export function renderForgot(page: ForgotContext): string {
  const { t } = accountUi(page);
  const action = `${page.base_path}/forgot-password`;
  const { return_to } = page;
  return renderPanelPage(
    page,
    t('forgot_title'),
    `${action}?${new URLSearchParams({ return_to }).toString()}`,
    <>
      {page.state === 'off' && <p>{t('forgot_off')}</p>}
      {page.state === 'sent' && <p role="status">{t('forgot_sent')}</p>}
      {page.state === 'ask' && (
        <>
          <p>{t('forgot_text')}</p>
          <form class="fields" method="post" action={action}>
            <input type="hidden" name="return_to" value={return_to} />
            <label for="email">{t('email')}</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="username"
              required
              dir="ltr"
              value={page.email ?? ''}
              aria-describedby={page.said === undefined ? undefined : 'problem'}
            />
            <button class="primary" type="submit">
              {t('forgot_action')}
            </button>
          </form>
        </>
      )}
    </>,
  );
}

export interface ResetContext extends BaseContext {
  /** The token of the link; null if the link is no longer valid. */
  token: string | null;
  said?: Said | undefined;
}

/** The page behind a reset link: asks for a new password, or says that the link is no longer valid. */
export function renderReset(page: ResetContext): string {
  const { t } = accountUi(page);
  const { token, base_path } = page;
  const action = `${base_path}/reset-password`;
  const address =
    token === null ? `${base_path}/forgot-password` : `${action}?token=${encodeURIComponent(token)}`;
  return renderPanelPage(
    page,
    t('reset_title'),
    address,
    <>
      {token === null ? (
        <>
          <p>{t('reset_over')}</p>
          <a class="primary" href={`${base_path}/forgot-password`}>
            {t('forgot_title')}
          </a>
        </>
      ) : (
        <form class="fields" method="post" action={action}>
          <input type="hidden" name="token" value={token} />
          <NewPassword page={page} name="new_password" label={t('password_new')} />
          <button class="primary" type="submit">
            {t('reset_action')}
          </button>
        </form>
      )}
    </>,
  );
}

/** The mail with the reset link, in the language of the request. */
export function resetMail(locale: string, link: string): { subject: string; text: string } {
  const { t } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  return { subject: t('mail_subject'), text: `${t('mail_text', { link })}\n` };
}

/** The mail that says that the password was changed, with the address to reset it. */
export function passwordChangedMail(locale: string, link: string): { subject: string; text: string } {
  const { t } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  return { subject: t('changed_mail_subject'), text: `${t('changed_mail_text', { link })}\n` };
}
