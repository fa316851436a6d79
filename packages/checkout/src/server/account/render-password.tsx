import type { ComponentChildren } from 'preact';
import type { Locale } from '../../model/locale.ts';
import { isLocale } from '../../model/locale.ts';
import { accountUi, type BaseContext, type PageScript, renderDocument } from '../document.tsx';
import { type Said, SaidBox } from './said-box.tsx';

export interface ForgotContext extends BaseContext {
  /** `off` where no mail can be sent. */
  state: 'ask' | 'sent' | 'off';
  said?: Said | undefined;
}

/** Where a person asks for a link to reset a password. */
export function renderForgot(page: ForgotContext): string {
  const { t } = accountUi(page);
  const action = `${page.base_path}/forgot-password`;
  return single(
    page,
    t('forgot_title'),
    action,
    <>
      {page.state === 'off' && <p>{t('forgot_off')}</p>}
      {page.state === 'sent' && <p role="status">{t('forgot_sent')}</p>}
      {page.state === 'ask' && (
        <>
          <p>{t('forgot_text')}</p>
          <form class="fields" method="post" action={action}>
            <label for="email">{t('email')}</label>
            <input id="email" name="email" type="email" autocomplete="username" required dir="ltr" />
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
  /** What the link carries; null where it is over. */
  token: string | null;
  said?: Said | undefined;
}

/** Where a link leads to: a new password, or word that the link is over. */
export function renderReset(page: ResetContext): string {
  const { t } = accountUi(page);
  const { token, base_path } = page;
  const action = `${base_path}/reset-password`;
  const address =
    token === null ? `${base_path}/forgot-password` : `${action}?token=${encodeURIComponent(token)}`;
  return single(
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
          <label for="new_password">{t('password_new')}</label>
          <input
            id="new_password"
            name="new_password"
            type="password"
            autocomplete="new-password"
            minlength={8}
            required
            dir="ltr"
            aria-describedby="hint"
          />
          <p id="hint" class="quiet">
            {t('password_hint')}
          </p>
          <button class="primary" type="submit">
            {t('reset_action')}
          </button>
        </form>
      )}
    </>,
  );
}

/** A page of one panel. */
export function single(
  page: BaseContext & { said?: Said | undefined },
  title: string,
  address: string,
  children: ComponentChildren,
  script: PageScript | null = null,
): string {
  const inLanguage = (locale: Locale): string =>
    `${address}${address.includes('?') ? '&' : '?'}lang=${locale}`;
  return renderDocument({
    page,
    title,
    inLanguage,
    script,
    children: (
      <main class="single">
        <section class="panel words">
          <h1>{title}</h1>
          <SaidBox page={page} said={page.said} />
          {children}
        </section>
      </main>
    ),
  });
}

/** The mail that carries the link, in the language in which it was asked for. */
export function resetMail(locale: string, link: string): { subject: string; text: string } {
  const { t } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  return { subject: t('mail_subject'), text: `${t('mail_text', { link })}\n` };
}

/** The mail that says that the password was changed, with where to choose another one. */
export function passwordChangedMail(locale: string, link: string): { subject: string; text: string } {
  const { t } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  return { subject: t('changed_mail_subject'), text: `${t('changed_mail_text', { link })}\n` };
}
