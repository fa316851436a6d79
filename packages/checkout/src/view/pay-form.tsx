/** The button that pays. */
import type { OrderPage } from '../client/use-order.ts';
import { Icon } from './icon.tsx';
import { payPath } from './links.ts';
import type { AppContext } from './props.ts';
import type { Ui } from './ui.ts';

interface PayFormProps {
  ui: Ui;
  context: AppContext;
  method_id: string;
  label: string;
  quiet?: boolean;
  page: Pick<OrderPage, 'phase' | 'online' | 'pay' | 'leaveToTab'>;
}

/**
 * The one button that starts or resumes a payment: the bar at the foot of the page on a phone (D-752). Without scripts it submits a form; in a frame it submits the form into a
 * tab of its own, because providers refuse to be shown in frames (D-268).
 */
export function PayForm({ ui, context, method_id, label, page, quiet = false }: PayFormProps) {
  const { phase, online } = page;
  const framed = context.embed_origins !== undefined;
  const busy = phase !== 'idle';
  const text = { idle: label, starting: ui.t('starting'), redirecting: ui.t('redirecting') }[phase];
  return (
    <form
      class="pay bar"
      data-phase={phase}
      method="post"
      action={payPath(context)}
      onSubmit={(event) => {
        if (framed && !busy && online) {
          page.leaveToTab();
          return;
        }
        event.preventDefault();
        if (!busy && online) page.pay(method_id);
      }}
    >
      <input type="hidden" name="token" value={context.token} />
      <input type="hidden" name="method_id" value={method_id} />
      {framed && <input type="hidden" name="embed" value="1" />}
      {context.tab && <input type="hidden" name="tab" value="1" />}
      <button class={quiet ? 'secondary' : 'primary'} type="submit" aria-disabled={busy || !online}>
        {busy ? <span class="spinner" aria-hidden="true" /> : !quiet && <Icon name="lock" />}
        <span>{text}</span>
      </button>
      {framed && <p class="quiet">{ui.t('embed_tab')}</p>}
    </form>
  );
}
