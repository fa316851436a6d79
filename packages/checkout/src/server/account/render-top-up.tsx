/** The page on which a person buys PTK by card. */
import { noticeKey } from '../../texts/notices.ts';
import { Icon } from '../../view/icon.tsx';
import { accountUi, type BaseContext, pageUi } from '../document.tsx';
import { Balance } from './activity-parts.tsx';
import { renderPanelPage } from './panel-page.tsx';

export interface TopUpContext extends BaseContext {
  available_ptk: string;
  /** Null while top-ups are not possible. */
  offer: {
    currencies: readonly string[];
    /** Decimal strings in PTK; null for no limit. */
    max_per_payment: string | null;
    max_per_day: string | null;
  } | null;
  /** Names this visit, so that a form that is sent twice makes one order. */
  visit: string;
  typed: { amount: string; currency: string };
  /** The order to pay afterwards: its number, its method, the PTK that it needs, and the path that leads back to it. */
  behind: { order_no: string; method_id: string; need: string; path: string } | null;
  /** Why the form is shown again: an error code, and the limit that was exceeded. */
  failure?: { code: string; field: string | undefined };
}

export function renderTopUp(page: TopUpContext): string {
  const { t } = accountUi(page);
  const { behind } = page;
  const path = `${page.base_path}/account/top-up`;
  // Another language keeps what the page was opened for.
  const own = behind === null ? path : `${path}?${purposeOf(behind, page.typed.currency)}`;
  return renderPanelPage(
    page,
    t('top_up'),
    own,
    <>
      <p class="quiet">{pageUi(page).t('ptk_balance')}</p>
      <Balance page={page} available_ptk={page.available_ptk} />
      {behind !== null && behind.need !== '' && (
        <p>{t('top_up_need', { missing: pageUi(page).money(behind.need, 'PTK') })}</p>
      )}
      {page.offer === null ? <p>{t('top_up_off')}</p> : <Form page={page} offer={page.offer} action={path} />}
      {behind === null ? (
        <a class="secondary" href={`${page.base_path}/account`}>
          {t('account')}
        </a>
      ) : (
        <a class="secondary" href={behind.path}>
          {pageUi(page).t('receipt_back')}
        </a>
      )}
    </>,
  );
}

const purposeOf = (
  { order_no, method_id, need }: NonNullable<TopUpContext['behind']>,
  currency: string,
): string => new URLSearchParams({ order: order_no, currency, method: method_id, need }).toString();

interface FormProps {
  page: TopUpContext;
  offer: NonNullable<TopUpContext['offer']>;
  action: string;
}

function Form({ page, offer, action }: FormProps) {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  const { failure, typed } = page;
  const limits = [
    offer.max_per_payment === null
      ? null
      : t('top_up_each', { limit: ui.money(offer.max_per_payment, 'PTK') }),
    offer.max_per_day === null ? null : t('top_up_day', { limit: ui.money(offer.max_per_day, 'PTK') }),
  ].filter((text) => text !== null);
  return (
    <form class="fields" method="post" action={action}>
      {failure !== undefined && (
        <div class="notice" role="alert" id="problem">
          <Icon name="info" />
          <p>{problemOf(page, failure)}</p>
        </div>
      )}
      <input type="hidden" name="visit" value={page.visit} />
      <input type="hidden" name="order" value={page.behind?.order_no ?? ''} />
      <input type="hidden" name="method" value={page.behind?.method_id ?? ''} />
      <input type="hidden" name="need" value={page.behind?.need ?? ''} />
      <label for="amount">{t('top_up_amount')}</label>
      <input
        id="amount"
        name="amount"
        inputmode="decimal"
        autocomplete="transaction-amount"
        required
        maxlength={64}
        dir="ltr"
        value={typed.amount}
        aria-invalid={failure === undefined ? undefined : 'true'}
        aria-describedby="limits"
      />
      <label for="currency">{t('top_up_currency')}</label>
      <select id="currency" name="currency">
        {offer.currencies.map((code) => (
          <option key={code} value={code} selected={code === typed.currency}>
            {code}
          </option>
        ))}
      </select>
      <p class="quiet" id="limits">
        {[...limits, t('top_up_about')].join(' ')}
      </p>
      <button class="primary" type="submit">
        {t('pay_link_action')}
      </button>
    </form>
  );
}

function problemOf(page: TopUpContext, { code, field }: NonNullable<TopUpContext['failure']>): string {
  const { t } = accountUi(page);
  const ui = pageUi(page);
  if (code === 'app_limit_exceeded') {
    const isOfDay = field === 'max_per_day';
    const limit = (isOfDay ? page.offer?.max_per_day : page.offer?.max_per_payment) ?? '0';
    return t(isOfDay ? 'top_up_over_day' : 'top_up_over_each', { limit: ui.money(limit, 'PTK') });
  }
  if (code.startsWith('invalid_amount')) return t('pay_link_bad', { example: '10.00' });
  return ui.t(noticeKey(code));
}
