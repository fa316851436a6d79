import { accountUi, type BaseContext } from '../document.tsx';

/** Says on the way to an invitation that it can be accepted afterwards, and with which account (D-1406). */
export function InvitationNote({ page, return_to }: { page: BaseContext; return_to: string }) {
  if (!return_to.startsWith(`${page.base_path}/invitation?`)) return null;
  return <p>{accountUi(page).t('invitation_next')}</p>;
}
