/** The screen on which a method is chosen and paid. */
import type { OrderPage } from '../client/use-order.ts';
import { type Obstacle, obstacleOf, previewedMethod } from '../model/screen.ts';
import type { CheckoutMethod } from '../model/state.ts';
import { Breakdown } from './breakdown.tsx';
import { pagePath, signInPath } from './links.ts';
import type { MethodMarks } from './marks.tsx';
import { Methods } from './methods.tsx';
import { PayForm } from './pay-form.tsx';
import type { AppContext } from './props.ts';
import { topUpLink } from './top-ups/links.tsx';
import type { Ui } from './ui.ts';

interface ChooseProps {
  ui: Ui;
  context: AppContext;
  page: OrderPage;
  marks: MethodMarks | undefined;
}

/** Choose a method, see what it costs, and pay. Selecting a method only previews it. */
export function ChooseScreen({ ui, context, page, marks }: ChooseProps) {
  const { state, phase } = page;
  const method = previewedMethod(state, page.chosen);
  return (
    <>
      <form
        class="choose"
        method="get"
        action={pagePath(context).split('?')[0]}
        onSubmit={(event) => {
          event.preventDefault();
          page.tell({ code: 'choose_first' });
        }}
      >
        <input type="hidden" name="token" value={context.token} />
        <Methods
          ui={ui}
          methods={state.methods}
          marks={marks}
          chosen={method?.method_id ?? null}
          locked={phase !== 'idle'}
          onChoose={page.choose}
        />
        {method === null && (
          <div class="bar with-script">
            <button class="primary" type="submit">
              {ui.t('choose_method')}
            </button>
          </div>
        )}
        {!page.live && state.methods.length > 1 && (
          <button class={`${method === null ? 'primary' : 'secondary'} script-free`} type="submit">
            {ui.t('show_total')}
          </button>
        )}
      </form>
      {method !== null && (
        <div class="preview">
          <Breakdown ui={ui} state={state} method={method} />
          <Action ui={ui} context={context} page={page} method={method} />
        </div>
      )}
      <SignedIn ui={ui} context={context} page={page} method={method} />
    </>
  );
}

/** The next step for a previewed method: pay, or remove the obstacle. */
function Action({ ui, context, page, method }: Omit<ChooseProps, 'marks'> & { method: CheckoutMethod }) {
  const obstacle = obstacleOf(method, page.state.buyer);
  if (obstacle === null) {
    return (
      <PayForm
        ui={ui}
        context={context}
        method_id={method.method_id}
        label={ui.t('pay', { total: ui.money(method.payment_amount, method.payment_currency) })}
        page={page}
      />
    );
  }
  if (obstacle.kind === 'unavailable') return <p class="obstacle">{ui.t('method_unavailable')}</p>;
  const signIn = obstacle.kind === 'login_required';
  // A frame knows no signed-in person, so this is the only obstacle there that a buyer can remove.
  const framed = context.embed_origins !== undefined;
  const account = (
    <a class={signIn ? 'primary' : 'secondary'} href={signInPath(context.sign_in_url, method.method_id)}>
      {ui.t(signIn ? 'sign_in_to_pay' : 'switch_account')}
    </a>
  );
  const topUp = topUpLink(ui, context, obstacle, method.method_id);
  const { length } = page.state.methods;
  // What stays in view on a phone is short: the advice stands below it (D-752).
  return (
    <div class="obstacle">
      <div class="bar">
        <p>{framed ? ui.t('notice_login_required') : obstacleText(ui, obstacle)}</p>
        {topUp ?? account}
      </div>
      {obstacle.kind === 'insufficient_balance' && (
        <p class="quiet">{ui.t(length > 1 ? 'balance_advice' : 'balance_advice_only')}</p>
      )}
      {topUp !== null && account}
      {framed && <p class="quiet">{ui.t('embed_tab')}</p>}
    </div>
  );
}

function obstacleText(ui: Ui, obstacle: Exclude<Obstacle, { kind: 'unavailable' }>): string {
  switch (obstacle.kind) {
    case 'login_required':
      return ui.t('sign_in_needed');
    case 'self_payment':
      return ui.t('self_payment');
    case 'insufficient_balance':
      return ui.t('balance_short', { missing: ui.money(obstacle.missing, 'PTK') });
  }
}

/** The person who is signed in, and the link to another account unless the obstacle offers it already. */
function SignedIn({
  ui,
  context,
  page,
  method,
}: Omit<ChooseProps, 'marks'> & { method: CheckoutMethod | null }) {
  const { buyer } = page.state;
  if (buyer === null) return null;
  const obstacle = method === null ? null : obstacleOf(method, buyer);
  const offered = obstacle !== null && obstacle.kind !== 'unavailable';
  return (
    <p class="signed-in">
      <span>{ui.t('signed_in_as', { name: buyer.name })}</span>
      {!offered && (
        <a href={signInPath(context.sign_in_url, method?.method_id ?? null)}>{ui.t('switch_account')}</a>
      )}
    </p>
  );
}
