/** The printable receipt. */
import type { ComponentChildren } from 'preact';
import type { MessageKey } from '../../texts/messages.ts';
import type { CheckoutMethod, CheckoutView } from '../../model/state.ts';
import { Mark } from './marks.tsx';
import { Amount } from '../../view/amount.tsx';
import { Breakdown } from '../../view/breakdown.tsx';
import { contactAddress, pagePath, receiptPath, receiptPdfPath } from '../../view/links.ts';
import { paidWithText } from '../../view/paid-with.tsx';
import { MerchantMark } from '../../view/summary.tsx';
import { accountUi, type BaseContext, pageUi, renderDocument } from '../document.tsx';
import { LocalTime } from '../local-time.tsx';
import { contactOf, hasReceipt, paidMethod, paidTotal, receiptFacts } from './receipt-facts.ts';

export interface ReceiptContext extends BaseContext {
  token: string;
  /** The provider's number of the payment; empty if there is none. */
  trade_no: string;
  /** The result of the form that mails the receipt, or `off` if no mail can be sent. */
  mail?: 'off' | 'ask' | 'sent' | 'bad';
}

/**
 * The printable receipt of a confirmed payment. It never names merchant fees or settlement.
 *
 * @returns null if the order has no receipt; the page itself is shown then
 */
export function renderReceipt(view: CheckoutView, page: ReceiptContext): string | null {
  if (!hasReceipt(view)) return null;
  const ui = pageUi(page);
  const links = { base_path: page.base_path, order_no: view.order_no, token: page.token };
  const method = paidMethod(view);
  const paid = paidTotal(view);
  /** Lines that a page shows as more than their text. */
  const richer: Partial<Record<MessageKey, ComponentChildren>> = {
    paid_on: view.occurred_at == null ? null : <LocalTime ui={ui} at={view.occurred_at} />,
    paid_with: <PaidWith method={method} attempt={view.attempt} />,
    receipt_contact: <Contact text={contactOf(view)} />,
  };
  return renderDocument({
    page,
    title: ui.t('page_title_status', { status: ui.t('receipt_title'), merchant: view.merchant.name }),
    inLanguage: (locale) => `${receiptPath(links)}&lang=${locale}`,
    script: 'checkout',
    children: (
      <main class="single">
        <article class="panel receipt words">
          <h1>{ui.t('receipt_title')}</h1>
          {view.test_mode && <p class="banner test">{ui.t('receipt_test')}</p>}
          <p class="receipt-merchant">
            <MerchantMark merchant={view.merchant} />
            <bdi>{view.merchant.name}</bdi>
          </p>
          <p class="invoice">
            <span class="label">{ui.t('total')}</span>
            <strong>
              <Amount ui={ui} amount={paid.amount} currency={paid.currency} />
            </strong>
          </p>
          <dl class="facts">
            {receiptFacts(view, ui, page).map(([key, value]) => (
              <div class="fact" key={key}>
                <dt>{ui.t(key)}</dt>
                <dd>
                  <bdi>{richer[key] ?? value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
          {method !== null && <Breakdown ui={ui} state={view} method={method} paid heading="h2" />}
          <div class="actions no-print">
            <button class="primary" type="button" data-print hidden>
              {ui.t('receipt_print')}
            </button>
            <a class="secondary" href={receiptPdfPath(links, page.locale)} data-zone download>
              {accountUi(page).t('receipt_pdf')}
            </a>
            <a class="secondary" href={pagePath(links)}>
              {ui.t('receipt_back')}
            </a>
          </div>
          <ReceiptMail page={page} order_no={view.order_no} />
        </article>
      </main>
    ),
  });
}

/** Where buyers ask the merchant. */
function Contact({ text }: { text: string }) {
  const address = contactAddress(text);
  return address === null ? (
    text
  ) : (
    <a href={address} rel="noopener">
      {text}
    </a>
  );
}

/** The name of the method with the sign of its brand. */
function PaidWith({ method, attempt }: { method: CheckoutMethod | null; attempt: CheckoutView['attempt'] }) {
  const { type = '', brand = type } = attempt?.paid_with ?? {};
  return (
    <span class="marks">
      <Mark of={brand} /> <bdi>{paidWithText(method, attempt)}</bdi>
    </span>
  );
}

/** Mails the receipt to an address of the buyer's choice. */
function ReceiptMail({ page, order_no }: { page: ReceiptContext; order_no: string }) {
  const { t } = accountUi(page);
  const { mail = 'off', base_path, token } = page;
  if (mail === 'off') return null;
  if (mail === 'sent') {
    return (
      <p class="no-print" role="status">
        {t('receipt_mail_sent')}
      </p>
    );
  }
  return (
    <form class="fields no-print" method="post" action={`${base_path}/checkout/${order_no}/receipt/mail`}>
      <input type="hidden" name="token" value={token} />
      <label for="receipt-email">{t('receipt_mail')}</label>
      <input
        id="receipt-email"
        name="email"
        type="email"
        autocomplete="email"
        required
        dir="ltr"
        aria-invalid={mail === 'bad' ? 'true' : undefined}
        aria-describedby="receipt-email-about"
      />
      <p id="receipt-email-about" class="quiet" role={mail === 'bad' ? 'alert' : undefined}>
        {t(mail === 'bad' ? 'sign_up_bad' : 'receipt_mail_about')}
      </p>
      <button class="secondary" type="submit">
        {t('receipt_mail_send')}
      </button>
    </form>
  );
}
