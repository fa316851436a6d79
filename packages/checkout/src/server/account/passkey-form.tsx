import type { ComponentChildren } from 'preact';
import { accountUi, type BaseContext } from '../document.tsx';

interface PasskeyFormProps {
  page: BaseContext;
  /** Whether a passkey is made or used. */
  kind: 'new' | 'use';
  /** Takes the device's answer; the options for the device are at `{action}/options`. */
  action: string;
  /** The path to go to afterwards. */
  then: string;
  label: string;
  children?: ComponentChildren;
}

/** A form that makes or uses a passkey. It is hidden until client/passkeys.ts has run, because only that can send it. */
export function PasskeyForm({ page, kind, action, then, label, children }: PasskeyFormProps) {
  const { t } = accountUi(page);
  return (
    <form
      class="fields"
      hidden
      method="post"
      action={action}
      data-passkey={kind}
      data-options={`${action}/options`}
      data-then={then}
      data-wrong={t('password_wrong')}
      data-failed={t('passkey_failed')}
    >
      {children}
      <p role="alert" class="quiet" />
      <button class="secondary" type="submit">
        {label}
      </button>
    </form>
  );
}
