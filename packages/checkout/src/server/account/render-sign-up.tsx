/** The pages on which a person opens an account, and the mail with the link. */
import { isLocale } from '../../model/locale.ts';
import { accountUi, type BaseContext } from '../document.tsx';
import { InvitationNote } from './invitation-note.tsx';
import { NewPassword } from './new-password.tsx';
import { renderPanelPage } from './panel-page.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import { type Purchase, PurchaseStrip } from './purchase-strip.tsx';
import type { Said } from './said-box.tsx';

export interface SignUpContext extends BaseContext {
  /** `off` if the platform opens no accounts, `sent` after the form. */
  state: 'ask' | 'sent' | 'off';
  /** The path of this service to go to afterwards, already checked. */
  return_to: string;
  purchase: Purchase | null;
  email?: string | undefined;
  said?: Said | undefined;
}

/** Asks for the address to send the link to. */
export function renderSignUp(page: SignUpContext): string {
  const { t } = accountUi(page);
  const { base_path, return_to, state, purchase } = page;
  const action = `${base_path}/sign-up`;
  const query = new URLSearchParams({ return_to }).toString();
  return renderPanelPage(
    page,
    t('sign_up_title'),
    `${action}?${query}`,
    <>
      <PurchaseStrip page={page} purchase={purchase} />
      <InvitationNote page={page} return_to={return_to} />
      {state === 'off' && <p>{t('sign_up_off')}</p>}
      {state === 'sent' && <p role="status">{t('sign_up_sent')}</p>}
      {state === 'ask' && (
        <>
          <p>{t('sign_up_text')}</p>
          <form class="fields" method="post" action={action}>
            <input type="hidden" name="return_to" value={return_to} />
            <label for="email">{t('email')}</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="email"
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
      <p class="quiet">
        <a href={`${base_path}/sign-in?${query}`}>{t('sign_up_known')}</a>
      </p>
    </>,
  );
}

export interface ConfirmSignUpContext extends BaseContext {
  /** What the link opens; null if it is no longer valid. */
  link: { token: string; email: string; return_to: string } | null;
  purchase: Purchase | null;
  /** Whether passkeys can be used at this address. */
  passkeys: boolean;
  /** The name that was typed before; a password is never repeated. */
  name?: string | undefined;
  said?: Said | undefined;
}

/** The page behind the link: asks for a name, and for a password or a passkey. */
export function renderConfirmSignUp(page: ConfirmSignUpContext): string {
  const { t } = accountUi(page);
  const { link, base_path } = page;
  const action = `${base_path}/sign-up/confirm`;
  if (link === null) {
    return renderPanelPage(
      page,
      t('sign_up_title'),
      `${base_path}/sign-up`,
      <>
        <p>{t('sign_up_over')}</p>
        <a class="primary" href={`${base_path}/sign-up`}>
          {t('sign_up_again')}
        </a>
        <a class="secondary" href={`${base_path}/sign-in`}>
          {t('sign_up_known')}
        </a>
      </>,
    );
  }
  const { token, email, return_to } = link;
  return renderPanelPage(
    page,
    t('sign_up_title'),
    `${action}?token=${encodeURIComponent(token)}`,
    <>
      <PurchaseStrip page={page} purchase={page.purchase} />
      <p>
        <span class="label">{t('email')}</span>
        <bdi>{email}</bdi>
      </p>
      <form class="fields" method="post" action={action}>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <NameField page={page} id="name" />
        <NewPassword page={page} name="password" label={t('password')} />
        <button class="primary" type="submit">
          {t('sign_up_action')}
        </button>
      </form>
      {page.passkeys && (
        <PasskeyForm
          page={page}
          kind="new"
          action={`${base_path}/sign-up/passkey`}
          then={return_to}
          label={t('sign_up_passkey')}
        >
          <h2 class="minor">{t('sign_up_no_password')}</h2>
          <input type="hidden" name="token" value={token} />
          <NameField page={page} id="passkey-name" />
        </PasskeyForm>
      )}
    </>,
    page.passkeys ? 'passkeys' : null,
  );
}

function NameField({ page, id }: { page: ConfirmSignUpContext; id: string }) {
  return (
    <>
      <label for={id}>{accountUi(page).t('name')}</label>
      <input
        id={id}
        name="name"
        type="text"
        autocomplete="name"
        required
        dir="auto"
        maxlength={200}
        value={page.name ?? ''}
      />
    </>
  );
}

/** The mail with the link; or, to an address with an account, the mail that says so. */
export function signUpMail(
  locale: string,
  about: { known: false; link: string } | { known: true; link: string; reset: string },
): { subject: string; text: string } {
  const { t } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  const text = about.known
    ? t('sign_up_mail_known', { link: about.link, reset: about.reset })
    : t('sign_up_mail_text', { link: about.link });
  return { subject: t('sign_up_title'), text: `${text}\n` };
}
