/** The words for codes that mails name: roles, and why a delivery failed (D-405). */
import type { AccountKey } from '../../texts/account/messages.ts';

const words: Readonly<Record<string, AccountKey>> = {
  owner: 'word_owner',
  finance: 'word_finance',
  developer: 'word_developer',
  'read-only': 'word_read-only',
  admin: 'word_admin',
  support: 'word_support',
  auditor: 'word_auditor',
  user: 'word_user',
  timeout: 'word_timeout',
  dns_failed: 'word_dns_failed',
  connect_failed: 'word_connect_failed',
  tls_failed: 'word_tls_failed',
  private_target: 'word_private_target',
  interrupted: 'word_interrupted',
  mail_refused: 'word_mail_refused',
  not_a_member: 'word_not_a_member',
  nobody_left: 'word_nobody_left',
  too_large: 'word_too_large',
};

/** A code without words of its own stays as it is. */
export function inWords(t: (key: AccountKey) => string, code: string): string {
  const key = Object.hasOwn(words, code) ? words[code] : undefined;
  return key === undefined ? code : t(key);
}
