/** The checkout page of a collection order. */
import { messagesIn } from '../../catalogue/catalogue.ts';
import type { Notice } from '../../catalogue/notices.ts';
import type { Locale } from '../../model/locale.ts';
import { hasCountdown, isSettled, screenOf } from '../../model/screen.ts';
import { type CheckoutView, publicState } from '../../model/state.ts';
import { CheckoutApp } from '../../view/checkout-app.tsx';
import { Icon } from '../../view/icon.tsx';
import { pagePath } from '../../view/links.ts';
import type { AppProps } from '../../view/props.ts';
import { titleOf } from '../../view/screens.tsx';
import type { Ui } from '../../view/ui.ts';
import { type BaseContext, pageUi, renderDocument } from '../document.tsx';
import { scriptJson } from '../script-json.ts';
import { formattedAmounts } from './formatted-amounts.ts';
import { QrCode } from './qr-code.tsx';

/** What the checkout page needs beside the state of its order. */
export interface PageContext extends BaseContext {
  /** The order's checkout token. */
  token: string;
  /** The full public address of this page, for the QR code. */
  page_url: string;
  /** The sign-in page, with a `return_to` that leads back here. */
  sign_in_url: string;
  /** The method whose costs are shown: the query's `method`. It starts nothing (H-20). */
  preview_method_id?: string | undefined;
  /** The outcome of a form's start: an error code of the contract; an unknown code gets a general text. */
  notice?: string | undefined;
  /** Seconds to wait, with `rate_limited` and its like. */
  retry_after_s?: number | undefined;
  /** Whether the buyer has just come back from the provider's page, with any result. */
  returned?: boolean | undefined;
}

/**
 * The checkout page of an order (R-208): complete without scripts, and with the data from which the browser goes on.
 * Stored texts are encoded (R-381).
 */
export function renderCheckout(view: CheckoutView, page: PageContext): string {
  const ui = pageUi(page);
  const props = propsOf(view, page);
  const screen = screenOf(view);
  const address = pagePath(props.context);
  const preview = props.context.preview_method_id;
  return renderDocument({
    page,
    title: titleFor(ui, view, page),
    inLanguage: (locale: Locale) =>
      `${address}&lang=${locale}${preview === null ? '' : `&method=${encodeURIComponent(preview)}`}`,
    script: 'checkout',
    children: (
      <>
        <main id="checkout">
          <CheckoutApp {...props} />
        </main>
        {!isSettled(screen.kind) && (
          <noscript>
            <p class="plain">
              {ui.t('no_script', { time: ui.moment(view.expires_at) })} <a href={address}>{ui.t('reload')}</a>
            </p>
          </noscript>
        )}
        {hasCountdown(screen.kind) && <Phone ui={ui} page_url={page.page_url} />}
        <footer class="foot">
          <Icon name="lock" />
          <span>{ui.t('footer')}</span>
        </footer>
        <script
          type="application/json"
          id="checkout-props"
          nonce={page.nonce}
          dangerouslySetInnerHTML={{ __html: scriptJson(props) }}
        />
      </>
    ),
  });
}

function titleFor(ui: Ui, view: CheckoutView, page: PageContext): string {
  const screen = screenOf(view);
  const merchant = view.merchant.name;
  if (screen.kind === 'choose') {
    return ui.t('page_title', { amount: ui.money(view.amount, view.currency), merchant });
  }
  return ui.t('page_title_status', { status: ui.t(titleOf(screen, page.returned ?? false)), merchant });
}

function propsOf(view: CheckoutView, page: PageContext): AppProps {
  const { token, base_path, locale, sign_in_url, preview_method_id = null, returned = false } = page;
  return {
    state: publicState(view),
    context: {
      base_path,
      order_no: view.order_no,
      token,
      locale,
      sign_in_url,
      preview_method_id,
      notice: noticeOf(page),
      returned,
    },
    messages: messagesIn(locale),
    amounts: formattedAmounts(view, locale),
  };
}

function noticeOf({ notice, retry_after_s }: PageContext): Notice | null {
  if (notice === undefined) return null;
  return retry_after_s === undefined ? { code: notice } : { code: notice, retry_after_s };
}

function Phone({ ui, page_url }: { ui: Ui; page_url: string }) {
  return (
    <details class="phone">
      <summary>
        <Icon name="phone" />
        <span>{ui.t('phone_title')}</span>
      </summary>
      <QrCode text={page_url} label={ui.t('phone_alt')} />
      <p>{ui.t('phone_text')}</p>
    </details>
  );
}
