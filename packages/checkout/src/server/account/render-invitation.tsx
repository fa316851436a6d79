/** The page and the mail of an invitation to work for a merchant. */
import { isLocale } from '../../model/locale.ts';
import { accountUi, type BaseContext } from '../document.tsx';
import { inWords } from '../mails/code-words.ts';
import { plain } from '../mails/plain.ts';
import { renderPanelPage } from './panel-page.tsx';

export type InvitationContext = BaseContext & { token: string } & (
    | { state: 'open'; merchant: string; role: string }
    /** `other`: it was sent to another address; `over`: it was used, withdrawn, or has expired. */
    | { state: 'other' | 'over' }
  );

/**
 * Asks whether the person accepts, or says why that is not possible. The service keeps nothing of a used link, so its page names
 * no merchant. The page leads to the console, in case the person has accepted the invitation (D-1452).
 */
export function renderInvitation(page: InvitationContext): string {
  const { t } = accountUi(page);
  const action = `${page.base_path}/invitation`;
  const own = `${action}?token=${encodeURIComponent(page.token)}`;
  const again = new URLSearchParams({ return_to: own, again: '1' });
  return renderPanelPage(
    page,
    t('invitation_title'),
    own,
    page.state === 'open' ? (
      <>
        <p>{t('invitation_text', { merchant: page.merchant, role: inWords(t, page.role) })}</p>
        <form class="fields" method="post" action={action}>
          <input type="hidden" name="token" value={page.token} />
          <button class="primary" type="submit">
            {t('invitation_action')}
          </button>
        </form>
      </>
    ) : (
      <>
        <p>{t(page.state === 'other' ? 'invitation_other' : 'invitation_over')}</p>
        {page.state === 'other' ? (
          <a class="primary" href={`${page.base_path}/sign-in?${again.toString()}`}>
            {t('other_account')}
          </a>
        ) : (
          <a class="primary" href={`${page.base_path}/console`}>
            {t('console_merchant')}
          </a>
        )}
      </>
    ),
  );
}

export interface InvitationMail {
  link: string;
  merchant: string;
  role: string;
  email: string;
  /** Whom to ask for an account, if the address has none; null if it has one. */
  asks: string | null;
}

/** The mail with the link. */
export function invitationMail(
  locale: string,
  { link, merchant, role, email, asks }: InvitationMail,
): { subject: string; text: string } {
  const { t } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  const name = plain(merchant);
  const text = t('invite_mail_text', { merchant: name, role: inWords(t, role), email, link });
  const account = asks === null ? '' : `\n\n${t('invite_mail_account', { email: asks })}`;
  return { subject: t('invite_mail_subject', { merchant: name }), text: `${text}${account}\n` };
}
