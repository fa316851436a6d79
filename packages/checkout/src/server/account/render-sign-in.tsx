/** The sign-in page. */
import type { Locale } from '../../model/locale.ts';
import { Icon } from '../../view/icon.tsx';
import { accountUi, type BaseContext, pageUi, renderDocument } from '../document.tsx';
import { InvitationNote } from './invitation-note.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import { type Purchase, PurchaseStrip } from './purchase-strip.tsx';
import { type Said, SaidBox } from './said-box.tsx';

export interface SignInContext extends BaseContext {
  /** The path of this service to go to afterwards, already checked. */
  return_to: string;
  /** The address that was typed before; a password is never repeated. */
  email?: string | undefined;
  /** Why the form is shown again. */
  error?: { kind: 'invalid' } | { kind: 'limited'; retry_after_s: number } | undefined;
  /** The outcome of an earlier step, such as a new password. */
  said?: Said | undefined;
  /** The person who is signed in already. */
  signed_in?: { name: string } | null;
  /** Whether a new sign-in is required, even of a person who is signed in. */
  again?: boolean;
  /** Whether passkeys can be used at this address. */
  passkeys?: boolean;
  /** The purchase that the person comes from. */
  purchase?: Purchase | null;
  /** Whether people can open accounts. */
  sign_up?: boolean;
}

/** The sign-in page: a plain form, posted to `{base_path}/sign-in`. */
export function renderSignIn(page: SignInContext): string {
  const ui = pageUi(page);
  const { t } = accountUi(page);
  const { return_to, base_path, again = false, signed_in = null, passkeys = false } = page;
  const action = `${base_path}/sign-in`;
  const inLanguage = (locale: Locale): string =>
    `${action}?${new URLSearchParams({ return_to, lang: locale, ...(again ? { again: '1' } : {}) }).toString()}`;
  return renderDocument({
    page,
    title: ui.t('sign_in_title'),
    inLanguage,
    script: passkeys ? 'passkeys' : null,
    children: (
      <main class="single">
        <section class="panel words">
          <h1>{ui.t('sign_in_title')}</h1>
          <PurchaseStrip page={page} purchase={page.purchase ?? null} />
          <InvitationNote page={page} return_to={return_to} />
          <SaidBox page={page} said={page.said} />
          {signed_in !== null && (
            <SignedIn page={page} name={signed_in.name} return_to={again ? null : return_to} />
          )}
          <PasswordForm page={page} />
          {passkeys && (
            <PasskeyForm
              page={page}
              kind="use"
              action={`${base_path}/session/passkey`}
              then={return_to}
              label={t('passkey_use')}
            />
          )}
          {page.sign_up === true && (
            <p class="quiet">
              <a href={`${base_path}/sign-up?${new URLSearchParams({ return_to }).toString()}`}>
                {t('sign_up_new')}
              </a>
            </p>
          )}
          <p class="quiet">
            <a href={`${base_path}/forgot-password?${new URLSearchParams({ return_to }).toString()}`}>
              {t('forgot')}
            </a>
          </p>
          {return_to.startsWith(`${base_path}/checkout/`) && (
            <a class="secondary" href={return_to}>
              {ui.t('sign_in_back')}
            </a>
          )}
        </section>
      </main>
    ),
  });
}

/** The person who is signed in, with the links to go on and to sign out. */
function SignedIn(props: { page: SignInContext; name: string; return_to: string | null }) {
  const { page, name, return_to } = props;
  const { t } = accountUi(page);
  return (
    <div class="stack" data-signed-in>
      <p>{t('signed_in', { name })}</p>
      {return_to !== null && (
        <a class="primary" href={return_to}>
          {t('continue')}
        </a>
      )}
      <form class="row" method="post" action={`${page.base_path}/sign-out`}>
        <a href={`${page.base_path}/account`}>{t('account')}</a>
        <button class="link" type="submit">
          {t('sign_out')}
        </button>
      </form>
      <h2 class="minor">{t('other_account')}</h2>
    </div>
  );
}

function PasswordForm({ page }: { page: SignInContext }) {
  const ui = pageUi(page);
  const { error, email = '', return_to, base_path } = page;
  const problem =
    error === undefined
      ? null
      : error.kind === 'invalid'
        ? ui.t('sign_in_invalid')
        : ui.t('sign_in_limited', { seconds: ui.duration(error.retry_after_s) });
  const invalid = error?.kind === 'invalid' ? 'true' : undefined;
  const described = problem === null ? undefined : 'wrong';
  return (
    <>
      {problem !== null && (
        <div class="notice" role="alert" id="wrong">
          <Icon name="info" />
          <p>{problem}</p>
        </div>
      )}
      <form class="fields" method="post" action={`${base_path}/sign-in`}>
        <input type="hidden" name="return_to" value={return_to} />
        <label for="email">{ui.t('sign_in_email')}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          dir="ltr"
          aria-invalid={invalid}
          aria-describedby={described}
        />
        <label for="password">{ui.t('sign_in_password')}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          dir="ltr"
          aria-invalid={invalid}
          aria-describedby={described}
        />
        <button class="primary" type="submit">
          {ui.t('sign_in_action')}
        </button>
      </form>
    </>
  );
}
