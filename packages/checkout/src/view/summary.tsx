/** What the order is about: merchant, amount and numbers. */
import type { ComponentChildren } from 'preact';
import type { CheckoutState } from '../model/state.ts';
import { Amount } from './amount.tsx';
import { CopyButton } from './copy-button.tsx';
import type { Ui } from './ui.ts';

/** The merchant's logo, from our own origin only, or the first letter of its name. */
export function MerchantMark({ merchant }: { merchant: CheckoutState['merchant'] }) {
  const logo = merchant.logo_url ?? '';
  if (/^\/(?!\/)/.test(logo)) {
    return <img class="mark" src={logo} alt="" width="48" height="48" />;
  }
  const [letter = ''] = Array.from(merchant.name.trim());
  return (
    <span class="mark letter" aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  );
}

function Fact(props: { term: string; value: string; copyLabel: string; copy: (text: string) => void }) {
  return (
    <div class="fact">
      <dt>{props.term}</dt>
      <dd>
        <bdi class="number">{props.value}</bdi>
        <CopyButton
          label={props.copyLabel}
          onCopy={() => {
            props.copy(props.value);
          }}
        />
      </dd>
    </div>
  );
}

interface SummaryProps {
  ui: Ui;
  state: CheckoutState;
  /** The countdown, if there is one. */
  children?: ComponentChildren;
}

/** The merchant, the description and the invoice amount. */
export function Summary({ ui, state, children }: SummaryProps) {
  const { merchant, description } = state;
  return (
    <section class="summary" aria-labelledby="merchant">
      <h1 id="merchant">
        <MerchantMark merchant={merchant} />
        <span>{ui.t('payment_to', { merchant: merchant.name })}</span>
      </h1>
      <p class="invoice">
        <span class="label">{ui.t('amount_due')}</span>
        <strong>
          <Amount ui={ui} amount={state.amount} currency={state.currency} />
        </strong>
      </p>
      {description !== null && description !== '' && (
        <p class="description">
          <bdi>{description}</bdi>
        </p>
      )}
      {children}
    </section>
  );
}

/** The numbers that a buyer quotes in questions about an order. */
export function Numbers({ ui, state, copy }: { ui: Ui; state: CheckoutState; copy: (text: string) => void }) {
  return (
    <dl class="facts numbers">
      <Fact
        term={ui.t('reference')}
        value={state.external_reference}
        copyLabel={ui.t('copy_reference')}
        copy={copy}
      />
      <Fact
        term={ui.t('order_number')}
        value={state.order_no}
        copyLabel={ui.t('copy_order_number')}
        copy={copy}
      />
    </dl>
  );
}
