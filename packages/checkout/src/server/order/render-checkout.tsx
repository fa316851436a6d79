/** The checkout page of a collection order. */
import { messagesIn } from '../../texts/catalogue.ts';
import { appMessages } from '../../texts/messages.ts';
import type { Notice } from '../../texts/notices.ts';
import type { Locale } from '../../model/locale.ts';
import { hasCountdown, isSettled, screenOf } from '../../model/screen.ts';
import { type CheckoutView, publicState } from '../../model/state.ts';
import { CheckoutApp } from '../../view/checkout-app.tsx';
import { Icon } from '../../view/icon.tsx';
import { pagePath, qrPath } from '../../view/links.ts';
import type { AppContext, AppProps } from '../../view/props.ts';
import { titleOf } from '../../view/screens.tsx';
import { type BaseContext, pageUi, type PageUi, renderDocument } from '../document.tsx';
import { scriptJson } from '../script-json.ts';
import { marksOf } from './marks.tsx';
import { formattedAmounts } from './formatted-amounts.ts';

/** What the checkout page needs beside the state of its order. */
export interface PageContext extends BaseContext {
  /** The order's checkout token, masked for this page: its length when compressed tells nothing about the token. */
  token: string;
  /** The sign-in page, with a `return_to` that leads back here. */
  sign_in_url: string;
  /** The method whose costs are shown: the query's `method`. It starts nothing (H-20). */
  preview_method_id?: string | undefined;
  /** The outcome of a form's start: an error code of the contract; an unknown code gets a general text. */
  notice?: string | undefined;
  /** Seconds to wait, with `rate_limited` and its like. */
  retry_after_s?: number | undefined;
  /** Whether the buyer has just come back from the provider's page, with any result, or has canceled there. */
  back?: AppContext['back'];
  /** For a page in a frame: the only origins that may show it (D-266). */
  embed_origins?: readonly string[];
  /** Whether the page goes on in a tab of its own, beside a frame. */
  tab?: boolean;
  /** Where the signed-in buyer tops up the balance, and comes back from. */
  top_up_url?: string | undefined;
  /** Whether the order is a top-up itself. */
  tops_up?: boolean;
}

/**
 * The checkout page of an order (R-208): complete without scripts, and with the data from which the browser goes on, so that it
 * does not read the same state again (D-256). Stored texts are encoded (R-381).
 */
export function renderCheckout(view: CheckoutView, page: PageContext): string {
  const ui = pageUi(page);
  const props = propsOf(view, page);
  const carried = { ...props, marks: undefined };
  const screen = screenOf(view);
  const address = pagePath(props.context);
  const framed = page.embed_origins !== undefined;
  const place = framed ? '&embed=1' : page.tab === true ? '&tab=1' : '';
  const preview = props.context.preview_method_id;
  return renderDocument({
    page,
    title: titleFor(ui, view, page),
    inLanguage: (locale: Locale) =>
      `${address}${place}&lang=${locale}${preview === null ? '' : `&method=${encodeURIComponent(preview)}`}`,
    script: framed || aroundTopUp(page) !== null ? 'full' : 'checkout',
    framed,
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
        {hasCountdown(screen.kind) && <Phone ui={ui} code={qrPath(props.context)} />}
        <footer class="foot">
          <Icon name="lock" />
          <span>{ui.t('footer')}</span>
        </footer>
        <script
          type="application/json"
          id="checkout-props"
          nonce={page.nonce}
          dangerouslySetInnerHTML={{ __html: scriptJson(carried) }}
        />
      </>
    ),
  });
}

/** On a page that leads to a top-up: what stands in the place of the texts that do not. */
const beforeTopUp = {
  balance_advice: 'balance_advice_top_up',
  balance_advice_only: 'balance_advice_top_up',
} as const;

/** The same for the page of a top-up, which has no merchant that a buyer knows. */
const ofTopUp = {
  paid_text: 'top_up_paid',
  paid_late_text: 'top_up_paid',
  return_link: 'top_up_go_on',
  return_soon: 'top_up_soon',
} as const;

/** The texts that replace others on a page that leads to a top-up, or on the page of a top-up; otherwise null. */
function aroundTopUp({ tops_up = false, top_up_url }: PageContext) {
  if (!tops_up && top_up_url === undefined) return null;
  return { ...(top_up_url === undefined ? {} : beforeTopUp), ...(tops_up ? ofTopUp : {}) };
}

function titleFor(ui: PageUi, view: CheckoutView, page: PageContext): string {
  const screen = screenOf(view);
  const merchant = view.merchant.name;
  if (screen.kind === 'choose') {
    return ui.t('page_title', { amount: ui.money(view.amount, view.currency), merchant });
  }
  return ui.t('page_title_status', { status: ui.t(titleOf(screen, page.back ?? null)), merchant });
}

function propsOf(view: CheckoutView, page: PageContext): AppProps {
  const { token, base_path, locale, sign_in_url, preview_method_id, back = null, tab = false } = page;
  const { top_up_url, tops_up = false } = page;
  return {
    state: publicState(view),
    context: {
      base_path,
      order_no: view.order_no,
      token,
      locale,
      sign_in_url,
      preview_method_id: ownMethod(view, preview_method_id),
      notice: noticeOf(page),
      back,
      ...(tab ? { tab } : {}),
      ...(top_up_url === undefined ? {} : { top_up_url }),
      ...(tops_up ? { tops_up } : {}),
      ...(page.embed_origins === undefined ? {} : { embed_origins: page.embed_origins }),
    },
    messages: appMessages(messagesIn(locale), {
      framed: tab || page.embed_origins !== undefined,
      around_top_up: aroundTopUp(page),
    }),
    amounts: formattedAmounts(view, locale),
    marks: marksOf(view.methods),
  };
}

/** The id of a method of this order, or null: the query can say anything (R-211). */
const ownMethod = ({ methods }: CheckoutView, id: string | undefined): string | null =>
  methods.find((method) => method.method_id === id)?.method_id ?? null;

function noticeOf({ notice, retry_after_s }: PageContext): Notice | null {
  if (notice === undefined) return null;
  return retry_after_s === undefined ? { code: notice } : { code: notice, retry_after_s };
}

/** The code is loaded when it is opened. */
function Phone({ ui, code }: { ui: PageUi; code: string }) {
  return (
    <details class="phone">
      <summary>
        <Icon name="phone" />
        <span>{ui.t('phone_title')}</span>
      </summary>
      <img class="qr" src={code} alt={ui.t('phone_alt')} width="216" height="216" loading="lazy" />
      <p>{ui.t('phone_text')}</p>
    </details>
  );
}
