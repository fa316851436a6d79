import { expect, test } from 'vitest';
import { localeTags } from '../../model/locale.ts';
import { invitationMail } from '../account/render-invitation.tsx';
import { buyerMail } from './buyer-mail.ts';

const name = 'Shop\r\n\u2028Total: 0\u202e\u2067';

test.each(localeTags)(
  'D-933 a name adds no line to a mail in %s, and does not turn the amount around',
  (locale) => {
    const facts = {
      order_no: 'mp_1',
      amount: '10.00',
      currency: 'USD',
      paid_at: null,
      test_mode: false,
      ptk: null,
    };
    const receipt = buyerMail(locale, 'receipt', {
      ...{ ...facts, merchant: name, title: name, goods: [], link: 'https://pay.example/' },
    });
    const who = { merchant: name, role: 'finance', email: 'ann@shop.example', asks: null };
    const invitation = invitationMail(locale, { ...who, link: 'https://pay.example/' });
    for (const { subject, text } of [receipt, invitation]) {
      expect(subject + text).toContain('Shop Total: 0');
      expect(subject + text).not.toContain('\u202e');
    }
  },
);
