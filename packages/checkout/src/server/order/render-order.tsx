/** The page of a catalog order. */
import type { ComponentChildren } from 'preact';
import { type Notice, noticeKey, noticeOn } from '../../texts/notices.ts';
import { type Obstacle, obstacleOf, previewedMethod, screenOf } from '../../model/screen.ts';
import type { CheckoutView } from '../../model/state.ts';
import { Breakdown } from '../../view/breakdown.tsx';
import { MerchantLink } from '../../view/merchant-link.tsx';
import { NoticeBox } from '../../view/notice-box.tsx';
import { Wait } from '../../view/paid-with.tsx';
import type { AppContext } from '../../view/props.ts';
import { resumeTexts, ScreenIcon, titleOf } from '../../view/screens.tsx';
import { Summary } from '../../view/summary.tsx';
import { accountUi, type BaseContext, pageUi, type PageUi, renderDocument } from '../document.tsx';
import { hasReceipt } from './receipt-facts.ts';

/** A catalog order as its buyer sees it: its payment, as of any order, and what was delivered. */
export interface OrderView extends CheckoutView {
  /** Null until it is delivered. */
  delivery: { codes: readonly string[]; note: string | null } | null;
}

export interface OrderContext extends BaseContext {
  /** The path of the page, to which its one button posts as well. */
  page_path: string;
  pay_path: string;
  sign_in_url: string;
  /** Where the buyer tops up the balance, and comes back from. */
  top_up_url?: string | undefined;
  /** The outcome of a start: an error code of the contract; an unknown code gets a general text. */
  notice?: string | undefined;
  retry_after_s?: number | undefined;
  /** Whether the buyer has just come back from the provider's page, with any result, or has canceled there. */
  back?: AppContext['back'];
}

/**
 * The page of a catalog order for the signed-in buyer: its price, its one way to pay, the state of the payment, and
 * what was delivered (D-180). It is complete without scripts, and has none.
 */
export function renderOrder(view: OrderView, page: OrderContext): string {
  const ui = pageUi(page);
  const screen = screenOf(view);
  const { back = null, retry_after_s } = page;
  const merchant = view.merchant.name;
  const isDelivered = screen.kind === 'paid' && view.delivery !== null;
  const title = isDelivered ? ui.t('order_delivered_title') : ui.t(titleOf(screen, back));
  const method = previewedMethod(view, view.methods[0]?.method_id ?? null);
  const obstacle = screen.kind === 'choose' && method !== null ? obstacleOf(method, view.buyer) : null;
  const notice: Notice | null =
    page.notice === undefined
      ? null
      : { code: page.notice, ...(retry_after_s === undefined ? {} : { retry_after_s }) };
  return renderDocument({
    page,
    title: ui.t('page_title_status', { status: title, merchant }),
    inLanguage: (locale) => `${page.page_path}?lang=${locale}`,
    script: null,
    children: (
      <main class="single" data-screen={screen.kind}>
        <article class="panel words">
          {view.test_mode && <p class="banner test">{ui.t('test_banner')}</p>}
          <Summary ui={ui} state={view} />
          <section class="words" aria-labelledby="state">
            <ScreenIcon kind={screen.kind} />
            <h2 id="state">{title}</h2>
            <NoticeBox
              ui={ui}
              notice={noticeOn(screen.kind, obstacle, notice)}
              buyer={view.buyer}
              sign_in_url={page.sign_in_url}
            />
            <OrderBody ui={ui} view={view} page={page} />
          </section>
          <dl class="facts numbers">
            <div class="fact">
              <dt>{ui.t('order_number')}</dt>
              <dd>
                <bdi class="mono">{view.order_no}</bdi>
              </dd>
            </div>
          </dl>
          {hasReceipt(view) && (
            <p>
              <a href={`${page.page_path}/receipt.pdf?lang=${page.locale}`} download>
                {accountUi(page).t('receipt_pdf')}
              </a>
            </p>
          )}
          {view.buyer !== null && (
            <p class="quiet">
              {ui.t('signed_in_as', { name: view.buyer.name })}{' '}
              <a href={page.sign_in_url}>{ui.t('switch_account')}</a>
            </p>
          )}
        </article>
      </main>
    ),
  });
}

interface BodyProps {
  ui: PageUi;
  view: OrderView;
  page: OrderContext;
}

function OrderBody({ ui, view, page }: BodyProps) {
  const screen = screenOf(view);
  const values = { merchant: view.merchant.name };
  const method = previewedMethod(view, view.methods[0]?.method_id ?? null);
  const total = method === null ? '' : ui.money(method.payment_amount, method.payment_currency);
  const costs = (paid: boolean) =>
    method !== null && <Breakdown ui={ui} state={view} method={method} paid={paid} />;
  switch (screen.kind) {
    case 'choose': {
      const obstacle = method === null ? null : obstacleOf(method, view.buyer);
      return (
        <>
          {costs(false)}
          {obstacle === null ? (
            <Pay page={page} label={ui.t('pay', { total })} />
          ) : (
            <Hindered ui={ui} obstacle={obstacle} top_up_url={page.top_up_url} />
          )}
          <p class="quiet">{ui.t('pay_once')}</p>
        </>
      );
    }
    case 'resume':
      return (
        <>
          <p>{ui.t(resumeTexts[page.back ?? 'none'], { method: method?.name ?? '' })}</p>
          {costs(false)}
          <Pay page={page} label={ui.t('resume_action', { total })} />
          <p class="quiet">{ui.t('pay_once')}</p>
        </>
      );
    case 'unresolved':
      return <Unresolved ui={ui} page={page} />;
    case 'paid':
      return (
        <>
          <p>{ui.t(screen.late ? 'paid_late_text' : 'paid_text', values)}</p>
          <Delivery ui={ui} view={view} />
          {costs(true)}
        </>
      );
    case 'no_method':
    case 'attempt_ended':
      return (
        <Told text={ui.t(`${screen.kind}_text`, values)} ui={ui} page={page}>
          <MerchantLink ui={ui} merchant={view.merchant} />
        </Told>
      );
    case 'processing':
      return <Processing {...{ ui, view, page }} />;
    case 'review':
      return <Told text={ui.t('review_text')} ui={ui} page={page} />;
    case 'checking':
      return <Told text={ui.t('checking_text')} ui={ui} page={page} />;
    case 'expired':
      return (
        <Told text={ui.t('expired_text', values)} ui={ui} page={page}>
          <MerchantLink ui={ui} merchant={view.merchant} />
          <p class="quiet">{ui.t('expired_late')}</p>
        </Told>
      );
    case 'refunded':
      return (
        <>
          <p>{ui.t('refunded_text')}</p>
          {view.delivery !== null && <Delivery ui={ui} view={view} />}
        </>
      );
    case 'chargeback':
      return (
        <>
          <p>{ui.t('chargeback_text', values)}</p>
          <MerchantLink ui={ui} merchant={view.merchant} asks />
        </>
      );
  }
}

interface HinderedProps {
  ui: PageUi;
  obstacle: Obstacle;
  top_up_url: string | undefined;
}

function Hindered({ ui, obstacle, top_up_url }: HinderedProps) {
  if (obstacle.kind !== 'insufficient_balance' || top_up_url === undefined) {
    return <p class="notice">{obstacleText(ui, obstacle)}</p>;
  }
  const { missing } = obstacle;
  return (
    <>
      <p class="notice">{shortText(ui, missing, 'balance_advice_top_up')}</p>
      <a class="primary" href={`${top_up_url}&need=${missing}`}>
        {ui.t('top_up_link')}
      </a>
    </>
  );
}

const shortText = (
  ui: PageUi,
  missing: string,
  advice: 'balance_advice_only' | 'balance_advice_top_up',
): string => `${ui.t('balance_short', { missing: ui.money(missing, 'PTK') })} ${ui.t(advice)}`;

function obstacleText(ui: PageUi, obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'insufficient_balance':
      return shortText(ui, obstacle.missing, 'balance_advice_only');
    case 'self_payment':
      return ui.t('self_payment');
    case 'login_required':
      return ui.t('sign_in_needed');
    case 'unavailable':
      return ui.t(noticeKey(obstacle.reason));
  }
}

function Processing({ ui, view, page }: BodyProps) {
  return (
    <Told text={ui.t('processing_text')} ui={ui} page={page}>
      <Wait attempt={view.attempt} />
    </Told>
  );
}

/** The delivered goods, or the note that the delivery is in progress. */
function Delivery({ ui, view }: Pick<BodyProps, 'ui' | 'view'>) {
  const { delivery, merchant } = view;
  if (delivery === null) return <p>{ui.t('order_preparing', { merchant: merchant.name })}</p>;
  return (
    <section class="words" aria-labelledby="delivery">
      <h3 id="delivery">{ui.t('order_delivery')}</h3>
      {delivery.codes.length > 0 && (
        <ul class="plain-list">
          {delivery.codes.map((code) => (
            <li key={code}>
              <code class="mono">{code}</code>
            </li>
          ))}
        </ul>
      )}
      {delivery.note !== null && (
        <p>
          <bdi>{delivery.note}</bdi>
        </p>
      )}
      {delivery.codes.length === 0 && delivery.note === null && (
        <p>{ui.t('order_delivered', { merchant: merchant.name })}</p>
      )}
    </section>
  );
}

function Pay({ page, label, quiet = false }: { page: OrderContext; label: string; quiet?: boolean }) {
  return (
    <form class="pay" method="post" action={page.pay_path}>
      <button class={quiet ? 'secondary' : 'primary'} type="submit">
        {label}
      </button>
    </form>
  );
}

function Unresolved({ ui, page }: Pick<BodyProps, 'ui' | 'page'>) {
  return (
    <>
      <p>{ui.t('unresolved_text')}</p>
      <Pay page={page} label={ui.t('unresolved_action')} quiet />
    </>
  );
}

function Told(props: { text: string; ui: PageUi; page: OrderContext; children?: ComponentChildren }) {
  return (
    <>
      <p>{props.text}</p>
      {props.children}
      <a class="secondary" href={props.page.page_path}>
        {props.ui.t('reload')}
      </a>
    </>
  );
}
