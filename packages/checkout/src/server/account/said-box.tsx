/** The box in which a page tells the outcome of a form. */
import type { AccountKey } from '../../texts/account/messages.ts';
import { Icon } from '../../view/icon.tsx';
import { accountUi, type BaseContext, pageUi } from '../document.tsx';

/** The outcome of the form that was just sent. */
export type Said =
  | { kind: 'good'; key: AccountKey }
  | { kind: 'bad'; key: AccountKey }
  | { kind: 'limited'; retry_after_s: number };

export function SaidBox({ page, said }: { page: BaseContext; said: Said | undefined }) {
  if (said === undefined) return null;
  if (said.kind === 'good') {
    return (
      <div class="notice good" role="status" id="problem">
        <p>{accountUi(page).t(said.key)}</p>
      </div>
    );
  }
  const ui = pageUi(page);
  const text =
    said.kind === 'limited'
      ? ui.t('sign_in_limited', { seconds: ui.duration(said.retry_after_s) })
      : accountUi(page).t(said.key);
  return (
    <div class="notice" role="alert" id="problem">
      <Icon name="info" />
      <p>{text}</p>
    </div>
  );
}
