/** The mail with a statement that a merchant has sent to its people regularly: its period, balances and net (D-555). */
import { isLocale } from '../../model/locale.ts';
import { accountUi } from '../document.tsx';
import { withSign } from '../with-sign.ts';
import { plain } from './plain.ts';

export interface ExportMailFacts {
  merchant: string;
  /** In words of the language, such as `October 2026`. */
  period: string;
  time_zone: string;
  /** The wallet at the beginning and at the end of the period, in PTK as decimal strings; negative for debts. */
  balances: { opening: string; net: string; closing: string };
  /** Whether the statement is attached. If not, it is too large for a mail. */
  attached: boolean;
  /** The screen where it can be downloaded, by those who are signed in. */
  link: string;
}

export function exportMail(
  locale: string,
  { merchant: name, period, time_zone, balances, attached, link }: ExportMailFacts,
): { subject: string; text: string } {
  const { t, money, locale: known } = accountUi({ locale: isLocale(locale) ? locale : 'en' });
  const ptk = (amount: string, plus = ''): string =>
    withSign(amount.startsWith('-') ? '−' : plus, money(amount.replace('-', ''), 'PTK'), known);
  const figures = t('export_mail_figures', {
    opening: ptk(balances.opening),
    net: ptk(balances.net, '+'),
    closing: ptk(balances.closing),
  });
  const merchant = plain(name);
  const what = t(attached ? 'export_mail_text' : 'export_mail_too_large', {
    merchant,
    period,
    zone: time_zone,
  });
  return {
    subject: t('export_mail_subject', { merchant, period }),
    text: `${what}\n\n${figures}\n\n${t('export_mail_why')}\n\n${link}\n`,
  };
}
