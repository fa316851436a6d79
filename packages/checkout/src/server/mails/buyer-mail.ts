/** The mails to buyers about their orders, as plain text in their language (D-237). */
import { messagesIn } from '../../texts/catalogue.ts';
import type { AccountKey } from '../../texts/account/messages.ts';
import { isLocale, type Locale } from '../../model/locale.ts';
import { uiOf } from '../../view/ui.ts';
import { accountUi } from '../document.tsx';
import { plain } from './plain.ts';

export interface BuyerMailFacts {
  merchant: string;
  title: string;
  order_no: string;
  /** What was paid: a decimal string. */
  amount: string;
  currency: string;
  /** RFC 3339. */
  paid_at: string | null;
  test_mode: boolean;
  /** The PTK that a top-up added to the balance, or that were taken back (D-362): a decimal string. Null for other orders. */
  ptk: string | null;
  /** Codes and the merchant's note. */
  goods: readonly string[];
  /** The page with the receipt or the order. */
  link: string;
}

type Kind = 'receipt' | 'delivered' | 'refund' | 'chargeback';

const texts: Readonly<Record<Kind, { subject: AccountKey; what: AccountKey }>> = {
  receipt: { subject: 'mail_receipt', what: 'mail_receipt_text' },
  delivered: { subject: 'mail_delivered', what: 'mail_delivered_text' },
  refund: { subject: 'mail_refund', what: 'mail_refund_text' },
  chargeback: { subject: 'mail_chargeback', what: 'mail_chargeback_text' },
};

export function buyerMail(
  locale: string,
  kind: Kind,
  facts: BuyerMailFacts,
): { subject: string; text: string } {
  const known: Locale = isLocale(locale) ? locale : 'en';
  const { t } = accountUi({ locale: known });
  const ui = uiOf(known, messagesIn(known));
  const merchant = plain(facts.merchant);
  const amount = ui.money(facts.amount, facts.currency);
  const { subject, what } = texts[kind];
  const lines = [
    t(what, { merchant, amount }),
    ...(facts.ptk === null
      ? []
      : [
          t(kind === 'receipt' ? 'mail_top_up' : 'mail_top_up_back', {
            ptk: ui.money(facts.ptk, 'PTK'),
          }),
        ]),
    ...(facts.test_mode ? [t('payment_test')] : []),
    '',
    ...(facts.goods.length === 0 ? [] : [...facts.goods, '']),
    ...[
      [ui.t('receipt_description'), plain(facts.title)],
      [ui.t('order_number'), facts.order_no],
      [ui.t('paid_on'), facts.paid_at === null ? '' : ui.moment(facts.paid_at)],
    ]
      .filter(([, value]) => value !== '')
      .map(([term, value]) => `${term ?? ''}: ${value ?? ''}`),
    '',
    facts.link,
  ];
  return { subject: t(subject, { merchant }), text: `${lines.join('\n')}\n` };
}
