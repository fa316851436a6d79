/** The page of a payment link: what is paid to whom, the amount where the visitor enters it, and the way on. */
import { noticeKey } from '../../texts/notices.ts';
import type { Locale } from '../../model/locale.ts';
import { Amount } from '../../view/amount.tsx';
import { Icon } from '../../view/icon.tsx';
import { MerchantMark } from '../../view/summary.tsx';
import { accountUi, type BaseContext, pageUi, renderDocument } from '../document.tsx';

export interface PayLinkContext extends BaseContext {
  link: string;
  merchant: { name: string; logo_url: string | null };
  description: string;
  currency: string;
  /** Null: the visitor enters it, within the bounds. */
  amount: string | null;
  min_amount: string | null;
  max_amount: string | null;
  /** An amount that the link takes (D-1034). */
  example: string;
  /** Names this visit, so that a form that is sent twice makes one order. */
  visit: string;
  /** Why the link makes no more orders; null while it does (D-511). */
  ended: 'closed' | 'expired' | 'used_up' | null;
  /** Whether the merchant takes no payments of this kind now: a visit could make no order, and the page has no form (D-530). */
  blocked: boolean;
  /** Why the form is shown again, and the bound that the entered amount breaks. */
  failure?: { code: string; bound: 'min_amount' | 'max_amount' | null; retry_after_s: number | undefined };
  typed: string;
}

const reasons = {
  closed: 'pay_link_closed',
  expired: 'pay_link_expired',
  used_up: 'pay_link_used_up',
} as const;

export function renderPayLink(page: PayLinkContext): string {
  const ui = pageUi(page);
  const { t } = accountUi(page);
  const { merchant, description, base_path, ended, blocked } = page;
  const title = t('pay_link_title', { merchant: merchant.name });
  const action = `${base_path}/pay/${page.link}`;
  return renderDocument({
    page,
    title: ended !== null ? t('pay_link_ended_title') : title,
    inLanguage: (locale: Locale): string => `${action}?lang=${locale}`,
    script: null,
    children: (
      <main class="single">
        <section class="panel words" data-pay-link={ended ?? (blocked ? 'blocked' : 'open')}>
          <MerchantMark merchant={merchant} />
          <h1>{ended !== null ? t('pay_link_ended_title') : title}</h1>
          {description !== '' && (
            <p class="description">
              <bdi>{description}</bdi>
            </p>
          )}
          {ended !== null ? (
            <>
              <p>{t(reasons[ended], { merchant: merchant.name })}</p>
              <p>{t('pay_link_ended', { merchant: merchant.name })}</p>
            </>
          ) : blocked ? (
            <div class="notice">
              <Icon name="info" />
              <p>{ui.t('notice_merchant_inactive')}</p>
            </div>
          ) : (
            <form class="fields" method="post" action={action}>
              <Failure page={page} />
              <input type="hidden" name="visit" value={page.visit} />
              {page.amount === null ? (
                <OpenAmount page={page} />
              ) : (
                <p class="invoice">
                  <strong>
                    <Amount ui={ui} amount={page.amount} currency={page.currency} />
                  </strong>
                </p>
              )}
              <button class="primary" type="submit">
                {t('pay_link_action')}
              </button>
              <p class="quiet">{t('pay_link_about')}</p>
            </form>
          )}
        </section>
      </main>
    ),
  });
}

/** The field for the amount, with its bounds in words. */
function OpenAmount({ page }: { page: PayLinkContext }) {
  const { t } = accountUi(page);
  const bounds = boundsOf(page);
  const isWrong = isOfAmount(page.failure?.code);
  return (
    <>
      <label for="amount">{t('pay_link_amount', { currency: page.currency })}</label>
      <input
        id="amount"
        name="amount"
        inputmode="decimal"
        autocomplete="transaction-amount"
        required
        maxlength={64}
        value={page.typed}
        dir="ltr"
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={[...(isWrong ? ['wrong'] : []), ...(bounds === null ? [] : ['bounds'])].join(' ')}
      />
      {bounds !== null && (
        <p class="quiet" id="bounds">
          {bounds}
        </p>
      )}
    </>
  );
}

function boundsOf(page: PayLinkContext): string | null {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  const { min_amount, max_amount, currency } = page;
  const min = min_amount === null ? null : ui.money(min_amount, currency);
  const max = max_amount === null ? null : ui.money(max_amount, currency);
  if (min !== null && max !== null) return t('pay_link_between', { min, max });
  if (min !== null) return t('pay_link_from', { min });
  return max === null ? null : t('pay_link_to', { max });
}

const isOfAmount = (code: string | undefined): boolean =>
  code === 'invalid_amount' || code === 'invalid_amount_precision';

/** Why nothing was started, in words. */
function Failure({ page }: { page: PayLinkContext }) {
  const { failure } = page;
  if (failure === undefined) return null;
  return (
    <div class="notice" role="alert" id="wrong">
      <Icon name="info" />
      <p>{wordsOf(page, failure)}</p>
    </div>
  );
}

/** Why the amount or the visit was refused: the bound that the amount breaks, or its many decimals (D-511). */
function wordsOf(page: PayLinkContext, failure: NonNullable<PayLinkContext['failure']>): string {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  const { code, bound, retry_after_s = 30 } = failure;
  const { min_amount, max_amount, currency, example } = page;
  if (bound === 'min_amount') return t('pay_link_too_small', { min: ui.money(min_amount ?? '', currency) });
  if (bound === 'max_amount') return t('pay_link_too_large', { max: ui.money(max_amount ?? '', currency) });
  if (code === 'invalid_amount') return t('pay_link_bad', { example });
  if (code === 'invalid_amount_precision') return t('pay_link_precise', { example });
  if (code === 'payment_conflict') return t('pay_link_again');
  return ui.t(noticeKey(code), { seconds: ui.duration(retry_after_s) });
}
