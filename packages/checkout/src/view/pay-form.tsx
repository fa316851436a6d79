/** The button that pays. */
import type { Phase } from '../client/use-order.ts';
import { Icon } from './icon.tsx';
import { payPath } from './links.ts';
import type { AppContext } from './props.ts';
import type { Ui } from './ui.ts';

interface PayFormProps {
  ui: Ui;
  context: AppContext;
  method_id: string;
  label: string;
  phase: Phase;
  online: boolean;
  quiet?: boolean;
  onPay: (method_id: string) => void;
}

/** The one button that starts or resumes a payment. Without scripts it submits a form. */
export function PayForm({
  ui,
  context,
  method_id,
  label,
  phase,
  online,
  quiet = false,
  onPay,
}: PayFormProps) {
  const busy = phase !== 'idle';
  const text = { idle: label, starting: ui.t('starting'), redirecting: ui.t('redirecting') }[phase];
  return (
    <form
      class="pay"
      data-phase={phase}
      method="post"
      action={payPath(context)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && online) onPay(method_id);
      }}
    >
      <input type="hidden" name="token" value={context.token} />
      <input type="hidden" name="method_id" value={method_id} />
      <button class={quiet ? 'secondary' : 'primary'} type="submit" aria-disabled={busy || !online}>
        {busy ? <span class="spinner" aria-hidden="true" /> : !quiet && <Icon name="lock" />}
        <span>{text}</span>
      </button>
    </form>
  );
}
