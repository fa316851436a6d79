/** The box that explains the answer to a start. */
import { useEffect, useRef } from 'preact/hooks';
import { type Notice, noticeKey } from '../texts/notices.ts';
import type { CheckoutState } from '../model/state.ts';
import { Icon } from './icon.tsx';
import type { Ui } from './ui.ts';

interface NoticeProps {
  ui: Ui;
  notice: Notice | null;
  buyer: CheckoutState['buyer'];
  sign_in_url: string;
}

/** Error codes for which another account may help. */
const accountCodes = new Set([
  'login_required',
  'insufficient_balance',
  'self_payment_not_allowed',
  'payment_debug_access_denied',
]);

/**
 * The meaning of an answer for the buyer, and the next step. The live region is always in the page, so that screen
 * readers announce its changes.
 */
export function NoticeBox({ ui, notice, buyer, sign_in_url }: NoticeProps) {
  const region = useRef<HTMLDivElement>(null);
  // On a phone the button that was pressed may be a screen below it (D-655).
  useEffect(() => {
    if (notice !== null) region.current?.scrollIntoView({ block: 'nearest' });
  }, [notice]);
  return (
    <div class="notice-region" role="alert" ref={region}>
      {notice !== null && (
        <div class="notice" data-code={notice.code}>
          <Icon name="info" />
          <p>
            {ui.t(noticeKey(notice.code), { seconds: ui.duration(notice.retry_after_s ?? 30) })}
            {accountCodes.has(notice.code) && (
              <>
                {' '}
                <a href={sign_in_url}>{ui.t(buyer === null ? 'sign_in_action' : 'switch_account')}</a>
              </>
            )}
          </p>
        </div>
      )}
    </div>
  );
}
