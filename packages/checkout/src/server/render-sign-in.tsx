import type { Locale } from '../model/locale.ts';
import { Icon } from '../view/icon.tsx';
import { type BaseContext, pageUi, renderDocument } from './document.tsx';

export interface SignInContext extends BaseContext {
  /** The own path to go to afterwards, already checked. */
  return_to: string;
  /** What was typed before; the password is never repeated. */
  email?: string | undefined;
  /** Why the form is shown again. */
  error?: { kind: 'invalid' } | { kind: 'limited'; retry_after_s: number } | undefined;
}

/** The sign-in page: a plain form, posted to `{base_path}/sign-in`. */
export function renderSignIn(page: SignInContext): string {
  const ui = pageUi(page);
  const { error, email = '', return_to, base_path } = page;
  const action = `${base_path}/sign-in`;
  const inLanguage = (locale: Locale): string =>
    `${action}?${new URLSearchParams({ return_to, lang: locale }).toString()}`;
  const problem =
    error === undefined
      ? null
      : error.kind === 'invalid'
        ? ui.t('sign_in_invalid')
        : ui.t('sign_in_limited', { seconds: ui.duration(error.retry_after_s) });
  return renderDocument({
    page,
    title: ui.t('sign_in_title'),
    inLanguage,
    script: false,
    children: (
      <main class="single">
        <section class="panel words">
          <h1>{ui.t('sign_in_title')}</h1>
          {problem !== null && (
            <div class="notice" role="alert" id="problem">
              <Icon name="info" />
              <p>{problem}</p>
            </div>
          )}
          <form class="fields" method="post" action={action}>
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
              aria-invalid={error?.kind === 'invalid' ? 'true' : undefined}
              aria-describedby={problem === null ? undefined : 'problem'}
            />
            <label for="password">{ui.t('sign_in_password')}</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              dir="ltr"
              aria-invalid={error?.kind === 'invalid' ? 'true' : undefined}
              aria-describedby={problem === null ? undefined : 'problem'}
            />
            <button class="primary" type="submit">
              {ui.t('sign_in_action')}
            </button>
          </form>
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
