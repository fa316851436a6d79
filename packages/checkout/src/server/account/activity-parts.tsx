/** A buyer's balance with its lines, and the payments: parts of the account page, and separate pages. */
import { directionOf } from '../../model/locale.ts';
import { Amount } from '../../view/amount.tsx';
import { accountUi, type BaseContext, pageUi } from '../document.tsx';
import { LocalTime } from '../local-time.tsx';
import { withSign } from '../with-sign.ts';
import { renderPanelPage } from './panel-page.tsx';

/** A line of the PTK balance. */
export interface WalletLine {
  /** RFC 3339. */
  at: string;
  /** A decimal string; with a minus sign where the balance shrinks. */
  amount_ptk: string;
  about: 'payment' | 'top_up' | 'top_up_back' | 'refund' | 'other';
  /** The order, or the reference of a top-up. */
  subject: string;
}

/** A payment that was confirmed. */
export interface BuyerPayment {
  at: string;
  merchant: string;
  title: string;
  amount: string;
  currency: string;
  status: 'paid' | 'refunded' | 'chargeback';
  test_mode: boolean;
  /** The path of the order's page. */
  page: string;
  /** The path of the printable receipt; null where the order's page is all there is. */
  receipt: string | null;
  /** The path of the receipt as PDF. */
  receipt_pdf: string;
  /** Whether codes or a note were delivered: the order's page has them. */
  delivered: boolean;
}

export interface Activity {
  available_ptk: string;
  /** Whether people can top up by card. */
  top_up: boolean;
  /** The latest ones. */
  lines: readonly WalletLine[];
  payments: readonly BuyerPayment[];
  /** What each app has paid from the balance, a decimal string, by client id. */
  spent: Readonly<Record<string, string>>;
  /** The consoles that the person works in. */
  consoles: { merchant: boolean; platform: boolean };
}

const lineKeys = {
  payment: 'line_payment',
  top_up: 'line_top_up',
  top_up_back: 'line_top_up_back',
  refund: 'line_refund',
  other: 'line_other',
} as const;

export function WalletLines({ page, lines }: { page: BaseContext; lines: readonly WalletLine[] }) {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  return (
    <ul class="lines">
      {lines.map(({ at, amount_ptk, about, subject }) => (
        <li key={`${at} ${subject} ${about} ${amount_ptk}`}>
          <span>
            {t(lineKeys[about])}
            <br />
            <span class="quiet">
              <bdi>{subject}</bdi> · <LocalTime ui={ui} at={at} />
            </span>
          </span>
          <strong class={amount_ptk.startsWith('-') ? undefined : 'gain'}>
            <Change page={page} amount_ptk={amount_ptk} />
          </strong>
        </li>
      ))}
    </ul>
  );
}

/** An amount with its sign, its code styled apart as in `Amount`. */
function Change({ page, amount_ptk }: { page: BaseContext; amount_ptk: string }) {
  const sign = amount_ptk.startsWith('-') ? '−' : '+';
  const { parts } = pageUi(page);
  const isLtr = directionOf(page.locale) === 'ltr';
  return (
    <bdi class="amount">
      {isLtr && sign}
      {parts(amount_ptk.replace('-', ''), 'PTK').map(({ kind, text }) =>
        kind === 'currency' ? (
          <span class="code">{text}</span>
        ) : isLtr ? (
          text
        ) : (
          withSign(sign, text, page.locale)
        ),
      )}
    </bdi>
  );
}

const statusKeys = { refunded: 'receipt_refunded', chargeback: 'receipt_chargeback' } as const;

export function Payments({ page, payments }: { page: BaseContext; payments: readonly BuyerPayment[] }) {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  return (
    <ul class="lines">
      {payments.map((payment) => (
        <li key={`${payment.at} ${payment.page}`}>
          <span>
            <bdi>
              <strong>{payment.merchant}</strong>
            </bdi>
            <br />
            <bdi>{payment.title}</bdi>
            <br />
            <span class="quiet">
              <LocalTime ui={ui} at={payment.at} />
              {payment.status !== 'paid' && <> · {ui.t(statusKeys[payment.status])}</>}
              {payment.test_mode && <> · {t('payment_test')}</>}
            </span>
            <br />
            {payment.delivered && <a href={payment.page}>{t('payment_codes')}</a>}{' '}
            <a href={payment.receipt ?? payment.page}>
              {t(payment.receipt === null ? 'payment_order' : 'payment_receipt')}
            </a>{' '}
            <a href={inLanguage(payment.receipt_pdf, page)} data-zone download>
              {t('receipt_pdf')}
            </a>
          </span>
          <strong>
            <Amount ui={ui} amount={payment.amount} currency={payment.currency} />
          </strong>
        </li>
      ))}
    </ul>
  );
}

/** @param path with a query or without */
const inLanguage = (path: string, { locale }: BaseContext): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`;

export interface ActivityPageContext extends BaseContext {
  available_ptk: string;
  list: { lines: readonly WalletLine[] } | { payments: readonly BuyerPayment[] };
  /** The path of the next page; null on the last one. */
  next: string | null;
}

/** All lines of the balance, or all payments, page by page. */
export function renderActivity(page: ActivityPageContext): string {
  const { t } = accountUi(page);
  const { list, next, base_path } = page;
  const isWallet = 'lines' in list;
  const isEmpty = isWallet ? list.lines.length === 0 : list.payments.length === 0;
  return renderPanelPage(
    page,
    t(isWallet ? 'balance' : 'payments'),
    `${base_path}/account/${isWallet ? 'wallet' : 'payments'}`,
    <>
      {isWallet && <Balance page={page} available_ptk={page.available_ptk} />}
      {isEmpty && <p>{t(isWallet ? 'lines_none' : 'payments_none')}</p>}
      {isWallet ? (
        <WalletLines page={page} lines={list.lines} />
      ) : (
        <Payments page={page} payments={list.payments} />
      )}
      {next !== null && (
        <a class="secondary" href={next}>
          {t('older')}
        </a>
      )}
      <a class="secondary" href={`${base_path}/account`}>
        {t('account')}
      </a>
    </>,
    'passkeys',
  );
}

export function Balance({ page, available_ptk }: { page: BaseContext; available_ptk: string }) {
  return (
    <p class="invoice">
      <strong>
        <Amount ui={pageUi(page)} amount={available_ptk} currency="PTK" />
      </strong>
    </p>
  );
}
