import type { Ui } from './ui.ts';

/** An amount whose code is styled apart from its figures. Screen readers read it as one. */
export function Amount({ ui, amount, currency }: { ui: Ui; amount: string; currency: string }) {
  return (
    <bdi class="amount">
      {ui
        .parts(amount, currency)
        .map((part) => (part.kind === 'currency' ? <span class="code">{part.text}</span> : part.text))}
    </bdi>
  );
}
