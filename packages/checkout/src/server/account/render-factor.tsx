/** The page for the second factor. */
import { accountUi, type BaseContext } from '../document.tsx';
import { renderPanelPage } from './panel-page.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import type { Said } from './said-box.tsx';

export interface FactorContext extends BaseContext {
  return_to: string;
  passkeys: boolean;
  said?: Said | undefined;
}

/** Asks for a code after a correct password. */
export function renderSecondFactor(page: FactorContext): string {
  const { t } = accountUi(page);
  const { base_path, return_to } = page;
  const action = `${base_path}/sign-in/second-factor`;
  const address = `${action}?${new URLSearchParams({ return_to }).toString()}`;
  const parts = (
    <>
      <p>{t('factor_text')}</p>
      <form class="fields" method="post" action={action}>
        <input type="hidden" name="return_to" value={return_to} />
        <label for="code">{t('factor_code')}</label>
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
          dir="ltr"
        />
        <button class="primary" type="submit">
          {t('factor_action')}
        </button>
      </form>
      {page.passkeys && (
        <PasskeyForm
          page={page}
          kind="use"
          action={`${base_path}/session/passkey`}
          then={return_to}
          label={t('passkey_use')}
        />
      )}
    </>
  );
  return renderPanelPage(page, t('factor_title'), address, parts, page.passkeys ? 'passkeys' : null);
}
