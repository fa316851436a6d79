/** The mails that tell people what concerns their accounts and merchants, as plain text in their language (D-390). */
import type { AccountKey } from '../../texts/account/messages.ts';
import { isLocale } from '../../model/locale.ts';
import { accountUi } from '../document.tsx';
import { inWords } from './code-words.ts';
import { plain } from './plain.ts';

/** What a mail names: names, codes, and times in RFC 3339. */
export type NoticeDetail = Readonly<Record<string, string>>;

interface NoticeText {
  subject: AccountKey;
  what: AccountKey | ((detail: NoticeDetail) => AccountKey);
  /** The screen of the merchant's console that the mail leads to. Mails without one say what to do if the change was not yours. */
  screen?: string;
}

/** What has happened to each secret but the key of notifications. */
const secretTexts: Readonly<Record<string, AccountKey>> = {
  client_secret: 'notice_secret_client',
  client_keys: 'notice_secret_client_keys',
  export_secret: 'notice_secret_export',
};

/** The subject, and what has happened, of each kind. */
const texts = {
  new_device: { subject: 'notice_device', what: 'notice_device_text' },
  factor_added: {
    subject: 'notice_factor_added',
    what: ({ factor }) => (factor === 'passkey' ? 'notice_added_passkey' : 'notice_added_totp'),
  },
  factor_removed: {
    subject: 'notice_factor_removed',
    what: ({ factor }) =>
      factor === 'all'
        ? 'notice_removed_all'
        : factor === 'passkey'
          ? 'notice_removed_passkey'
          : 'notice_removed_totp',
  },
  role_given: { subject: 'notice_role', what: 'notice_role_text' },
  owner_added: { subject: 'notice_owner', what: 'notice_owner_text' },
  secret_changed: {
    subject: 'notice_secret',
    what: ({ secret = '' }) => secretTexts[secret] ?? 'notice_secret_key',
  },
  receiver_failing: {
    subject: 'notice_receiver_failing',
    what: 'notice_receiver_failing_text',
    screen: 'notification-settings',
  },
  receiver_recovered: {
    subject: 'notice_receiver_recovered',
    what: 'notice_receiver_recovered_text',
    screen: 'notification-settings',
  },
  export_failing: { subject: 'notice_export_failing', what: 'notice_export_failing_text', screen: 'exports' },
  export_recovered: {
    subject: 'notice_export_recovered',
    what: 'notice_export_recovered_text',
    screen: 'exports',
  },
} as const satisfies Readonly<Record<string, NoticeText>>;

export type NoticeMailKind = keyof typeof texts;

/**
 * The mail of a notice.
 *
 * @param locale English if it is not one of the languages
 */
export function noticeMail(
  locale: string,
  { kind, detail }: { kind: NoticeMailKind; detail: NoticeDetail },
  public_url: string,
): { subject: string; text: string } {
  const { t, moment } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  const { subject, what, screen }: NoticeText = texts[kind];
  const clean = Object.fromEntries(
    Object.entries(detail).map(([name, text]) => [name, plain(text).slice(0, 200)]),
  );
  const { at = '', since = '', address = '', merchant_no = '', name = '', email = '' } = clean;
  const facts = {
    ...{ device: '', client: clean.client_id ?? '', receiver: '', failures: '', period: '' },
    ...clean,
    role: inWords(t, clean.role ?? ''),
    answer: inWords(t, clean.answer ?? ''),
    merchant: clean.merchant ?? t('notice_platform'),
    person: `${name} (${email})`,
    since: moment(since),
  };
  const said = t(typeof what === 'string' ? what : what(clean), facts);
  const time = t('notice_time', { time: moment(at) });
  if (screen !== undefined) {
    return {
      subject: t(subject),
      text: `${said}\n\n${time}\n\n${public_url}/console/merchants/${merchant_no}/${screen}\n`,
    };
  }
  const from = address === '' ? '' : `${t('notice_address', { address })}\n`;
  return {
    subject: t(subject),
    text: `${said}\n\n${time}\n${from}\n${t('notice_unknown')}\n\n${public_url}/account\n`,
  };
}
