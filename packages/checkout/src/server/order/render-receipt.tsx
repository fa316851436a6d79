/** The printable receipt. */
import type { MessageKey } from '../../catalogue/messages.ts';
import { previewedMethod } from '../../model/screen.ts';
import type { CheckoutView } from '../../model/state.ts';
import { Amount } from '../../view/amount.tsx';
import { Breakdown } from '../../view/breakdown.tsx';
import { pagePath, receiptPath } from '../../view/links.ts';
import { MerchantMark } from '../../view/summary.tsx';
import { accountUi, type BaseContext, pageUi, renderDocument } from '../document.tsx';

export interface ReceiptContext extends BaseContext {
  token: string;
  /** The result of the form that mails the receipt, or `off` if no mail can be sent. */
  mail?: 'off' | 'ask' | 'sent' | 'bad';
}

/** The statuses that have a receipt. */
const statusKeys = {
  paid: 'receipt_paid',
  refunded: 'receipt_refunded',
  chargeback: 'receipt_chargeback',
} as const satisfies Record<string, MessageKey>;

/** Whether an order has a receipt: only after a confirmed payment. */
export const hasReceipt = (view: Pick<CheckoutView, 'status'>): view is { status: keyof typeof statusKeys } =>
  Object.hasOwn(statusKeys, view.status);

/**
 * The printable receipt of a confirmed payment. It never names merchant fees or settlement.
 *
 * @returns null if the order has no receipt; the page itself is shown then
 */
export function renderReceipt(view: CheckoutView, page: ReceiptContext): string | null {
  if (!hasReceipt(view)) return null;
  const ui = pageUi(page);
  const links = { base_path: page.base_path, order_no: view.order_no, token: page.token };
  const method = view.attempt === null ? null : previewedMethod(view, null);
  const facts: readonly (readonly [MessageKey, string])[] = [
    ['receipt_status', ui.t(statusKeys[view.status])],
    [
      'paid_on',
      view.occurred_at === undefined || view.occurred_at === null ? '' : ui.moment(view.occurred_at),
    ],
    ['paid_with', method?.name ?? ''],
    ['receipt_description', view.description ?? ''],
    ['reference', view.external_reference],
    ['order_number', view.order_no],
  ];
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
            <span class="label">{ui.t('amount_due')}</span>
            <strong>
              <Amount ui={ui} amount={view.amount} currency={view.currency} />
            </strong>
          </p>
          <dl class="facts">
            {facts
              .filter(([, value]) => value !== '')
              .map(([key, value]) => (
                <div class="fact" key={key}>
                  <dt>{ui.t(key)}</dt>
                  <dd>
                    <bdi>{value}</bdi>
                  </dd>
                </div>
              ))}
          </dl>
          {method !== null && <Breakdown ui={ui} state={view} method={method} paid heading="h2" />}
          <div class="actions no-print">
            <button class="primary" type="button" data-print hidden>
              {ui.t('receipt_print')}
            </button>
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
