/** The pages that set up a second factor: the secret of an authenticator app, and the recovery codes. */
import { accountUi, type BaseContext, renderDocument } from '../document.tsx';
import { QrCode } from '../order/qr-code.tsx';
import { renderPanelPage } from './panel-page.tsx';
import type { Said } from './said-box.tsx';

export interface TotpContext extends BaseContext {
  secret: string;
  uri: string;
  said?: Said | undefined;
}

/** Shows the secret for an authenticator app, and asks for a code that proves that the app has it. */
export function renderTotp(page: TotpContext): string {
  const { t } = accountUi(page);
  const action = `${page.base_path}/account/totp/confirm`;
  const groups = (page.secret.match(/.{1,4}/g) ?? []).join(' ');
  return renderPanelPage(
    page,
    t('totp_set_up'),
    `${page.base_path}/account/totp`,
    <>
      <p>{t('totp_scan')}</p>
      <QrCode text={page.uri} label={t('totp_picture')} />
      <p>
        <span class="label">{t('totp_key')}</span>
        <code class="mono" dir="ltr">
          {groups}
        </code>
      </p>
      {/* A phone cannot scan its own screen. */}
      <a class="touch" href={page.uri}>
        {t('totp_open')}
      </a>
      <form class="fields" method="post" action={action}>
        <label for="code">{t('factor_code')}</label>
        <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required dir="ltr" />
        <button class="primary" type="submit">
          {t('factor_action')}
        </button>
      </form>
    </>,
  );
}

/** The new recovery codes. They are shown only once. */
export function renderRecoveryCodes(page: BaseContext & { codes: readonly string[] }): string {
  const { t } = accountUi(page);
  return renderDocument({
    page,
    title: t('codes'),
    inLanguage: null,
    script: null,
    children: (
      <main class="single">
        <section class="panel words">
          <h1>{t('codes')}</h1>
          <p>{t('codes_text')}</p>
          <ul class="codes" dir="ltr">
            {page.codes.map((code) => (
              <li key={code}>
                <code class="mono">{code}</code>
              </li>
            ))}
          </ul>
          <a class="primary" href={`${page.base_path}/account`}>
            {t('continue')}
          </a>
        </section>
      </main>
    ),
  });
}
