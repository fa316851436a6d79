/** The heading, icon and body of each screen. */
import type { ComponentChildren } from 'preact';
import type { AppKey } from '../texts/messages.ts';
import type { OrderPage } from '../client/use-order.ts';
import { useReturn } from '../client/return-to-shop.ts';
import { previewedMethod, type Screen, type ScreenKind } from '../model/screen.ts';
import { Breakdown } from './breakdown.tsx';
import { ChooseScreen } from './choose-screen.tsx';
import { Icon, type IconName } from './icon.tsx';
import { pagePath, receiptPath } from './links.ts';
import type { MethodMarks } from './marks.tsx';
import { MerchantLink } from './merchant-link.tsx';
import { OtherMethods } from './other-methods.tsx';
import { Moment, Wait } from './paid-with.tsx';
import { PayForm } from './pay-form.tsx';
import type { AppContext } from './props.ts';
import { nextAddress, WayOut } from './top-ups/links.tsx';
import type { Ui } from './ui.ts';

interface ScreenProps {
  ui: Ui;
  context: AppContext;
  page: OrderPage;
  screen: Screen;
  /** Asks the merchant's page to close the frame; null where there is none. */
  close: (() => void) | null;
  marks: MethodMarks | undefined;
}

/** The heading of each screen. */
const titles = {
  choose: 'choose_title',
  no_method: 'no_method_title',
  resume: 'resume_title',
  unresolved: 'unresolved_title',
  processing: 'processing_title',
  attempt_ended: 'attempt_ended_title',
  review: 'review_title',
  checking: 'checking_title',
  paid: 'paid_title',
  expired: 'expired_title',
  refunded: 'refunded_title',
  chargeback: 'chargeback_title',
} as const satisfies Record<ScreenKind, AppKey>;

export const titleOf = (screen: Screen, back: AppContext['back']): AppKey => {
  if (screen.kind !== 'resume' || back === null) return titles[screen.kind];
  return back === 'canceled' ? 'canceled_title' : 'returned_title';
};

/** The body of the screen for a state. */
export function ScreenBody(props: ScreenProps) {
  const { ui, page, screen } = props;
  const { merchant } = page.state;
  const values = { merchant: merchant.name };
  const wayOut = <WayOut {...props} merchant={merchant} />;
  switch (screen.kind) {
    case 'choose':
      return <ChooseScreen {...props} />;
    case 'resume':
      return <ResumeScreen {...props} />;
    case 'unresolved':
      return <UnresolvedScreen {...props} />;
    case 'paid':
      return <PaidScreen {...props} late={screen.late} />;
    case 'no_method':
      return (
        <Words text={ui.t('no_method_text', values)}>
          {wayOut}
          <Reload {...props} />
        </Words>
      );
    case 'processing':
      return (
        <Words text={ui.t('processing_text')}>
          <Wait attempt={page.state.attempt} />
          <Reload {...props} />
        </Words>
      );
    case 'attempt_ended':
      return (
        // The provider has told the outcome: nothing is left to check (D-1453).
        <Words text={ui.t('attempt_ended_text', values)}>{wayOut}</Words>
      );
    case 'review':
      return (
        <Words text={ui.t('review_text')}>
          <Reload {...props} />
        </Words>
      );
    case 'checking':
      return (
        <Words text={ui.t('checking_text')}>
          <Reload {...props} />
        </Words>
      );
    case 'expired':
      return (
        <Words text={ui.t('expired_text', values)}>
          {wayOut}
          <p class="quiet">{ui.t('expired_late')}</p>
          <Reload {...props} />
        </Words>
      );
    case 'refunded':
      return (
        <Words text={ui.t('refunded_text')}>
          <MerchantLink ui={ui} merchant={merchant} asks />
          <ReceiptLink {...props} />
        </Words>
      );
    case 'chargeback':
      return (
        <Words text={ui.t('chargeback_text', values)}>
          <MerchantLink ui={ui} merchant={merchant} asks />
          <ReceiptLink {...props} />
        </Words>
      );
  }
}

const icons: Partial<Record<ScreenKind, IconName>> = {
  paid: 'check',
  refunded: 'back',
  chargeback: 'back',
  unresolved: 'clock',
  processing: 'clock',
  review: 'clock',
  expired: 'clock',
  resume: 'card',
};

/** The icon above a heading, on screens that show an outcome. */
export function ScreenIcon({ kind }: { kind: ScreenKind }) {
  if (kind === 'choose') return null;
  return (
    <span class={`badge ${kind}`}>
      <Icon name={icons[kind] ?? 'info'} />
    </span>
  );
}

function Words({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="words">
      <p>{text}</p>
      {children}
    </div>
  );
}

/** Reads the state again: in place with scripts, as a link without. */
function Reload({ ui, context, page }: ScreenProps) {
  return (
    <a
      class="secondary"
      href={pagePath(context)}
      onClick={(event) => {
        event.preventDefault();
        page.refresh();
      }}
    >
      {ui.t('reload')}
    </a>
  );
}

function ReceiptLink({ ui, context }: ScreenProps) {
  return (
    <a class="secondary" href={receiptPath(context)}>
      {ui.t('receipt_link')}
    </a>
  );
}

/** The text of a payment that was started, by how the buyer came to the page. */
export const resumeTexts = {
  none: 'resume_text',
  returned: 'returned_text',
  canceled: 'canceled_text',
} as const satisfies Record<string, AppKey>;

function ResumeScreen({ ui, context, page }: ScreenProps) {
  const method = previewedMethod(page.state, null);
  return (
    <div class="words">
      <p>{ui.t(resumeTexts[context.back ?? 'none'], { method: method?.name ?? '' })}</p>
      {method !== null && (
        <>
          <Breakdown ui={ui} state={page.state} method={method} />
          <PayForm
            ui={ui}
            context={context}
            method_id={method.method_id}
            label={ui.t('resume_action', { total: ui.money(method.payment_amount, method.payment_currency) })}
            page={page}
            quiet={context.back === 'returned'}
          />
          <p class="quiet">{ui.t('pay_once')}</p>
        </>
      )}
      <OtherMethods ui={ui} context={context} page={page} />
    </div>
  );
}

function UnresolvedScreen({ ui, context, page }: ScreenProps) {
  const { attempt } = page.state;
  return (
    <Words text={ui.t('unresolved_text')}>
      {attempt !== null && (
        <PayForm
          ui={ui}
          context={context}
          method_id={attempt.method_id}
          label={ui.t('unresolved_action')}
          page={page}
          quiet
        />
      )}
      <p class="quiet">{ui.t('pay_once')}</p>
    </Words>
  );
}

/** The confirmation, with the link back to the merchant if the order has a return address. */
function PaidScreen(props: ScreenProps & { late: boolean }) {
  const { ui, context, page, late, close } = props;
  const { state } = page;
  const { merchant, occurred_at } = state;
  const address = nextAddress(state.return_url, context);
  // Around a frame, and in a tab beside one, the merchant's own page is still there.
  const stays = close !== null || context.tab;
  const { leaving, stay } = useReturn(page.live && !stays ? address : null);
  const method = state.attempt === null ? null : previewedMethod(state, null);
  return (
    <div class="words">
      <p>{ui.t(late ? 'paid_late_text' : 'paid_text', { merchant: merchant.name })}</p>
      {method !== null && <Breakdown ui={ui} state={state} method={method} paid />}
      {(method !== null || (occurred_at ?? '') !== '') && (
        <p class="quiet">
          {method !== null && `${ui.t('paid_with')}: ${method.name}`}
          {typeof occurred_at === 'string' && occurred_at !== '' && (
            <>
              {method !== null && <br />}
              {ui.t('paid_on')}: <Moment ui={ui} at={occurred_at} />
            </>
          )}
        </p>
      )}
      {context.tab && <p>{ui.t('tab_close', { merchant: merchant.name })}</p>}
      {close !== null && (
        <button class="primary" type="button" onClick={close}>
          {ui.t('embed_done')}
        </button>
      )}
      {address !== null && (
        <a
          class={stays ? 'secondary' : 'primary'}
          href={address}
          target={close === null ? undefined : '_top'}
        >
          {ui.t('return_link', { merchant: merchant.name })}
        </a>
      )}
      {address !== null && !stays && (
        <p class={leaving ? 'leaving quiet' : 'leaving quiet unseen'} aria-hidden={!leaving}>
          {ui.t('return_soon', { merchant: merchant.name })}{' '}
          <button class="link" type="button" disabled={!leaving} onClick={stay}>
            {ui.t('stay')}
          </button>
        </p>
      )}
      <ReceiptLink {...props} />
    </div>
  );
}
