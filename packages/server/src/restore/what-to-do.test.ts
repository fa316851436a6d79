import { describe, expect, test } from 'vitest';
import { merchantNo } from '../base/ids.ts';
import { lettersOf, type Restored } from './letters.ts';
import { instructionsFor, isTrueAgain, whatToDo } from './what-to-do.ts';

describe('D-1089 an event of the gap', () => {
  test.each([
    ['paid', 'refunded', true],
    ['paid', 'pending', false],
    ['pending', 'expired', true],
    ['refunded', 'paid', false],
    ['expired', null, false],
  ])('%s, of an order that is %s now, is true again: %s', (status, status_now, is) => {
    expect(isTrueAgain({ status, status_now })).toBe(is);
  });

  test.each([
    ['paid', null, 'PTK:mp_1', /the buyer has the PTK again.*new idempotency key/],
    ['paid', null, 'pi_1', /If it was paid by card, we hold the payment/],
    ['paid', 'pending', 'PTK:mp_1', /not paid: the buyer has the PTK again.*link until it expires/],
    ['paid', 'expired', 'PTK:mp_1', /not paid.*new idempotency key/],
    ['refunded', 'paid', 'PTK:mp_1', /paid again: the buyer has not got the PTK back/],
    ['refunded', 'paid', 'pi_1', /not refunded here/],
    ['expired', 'pending', null, /can be paid until it expires/],
    ['pending', null, null, /the same idempotency key/],
    ['chargeback', 'paid', 'pi_1', /Deliver nothing more/],
  ])(
    '%s, of an order that is %s now, by %s, says what to do',
    (status, status_now, provider_trade_no, says) => {
      expect(whatToDo({ status, status_now, provider_trade_no })).toMatch(says);
    },
  );
});

test.each([
  ['payment_missing_there', 'mp_1', null, true, true, /dashboard/],
  ['amount_differs', 'mp_1', null, true, true, /Compare/],
  ['payment_missing_here', null, null, false, false, /nothing to do/],
  ['payment_missing_here', 'co_1', 'pc_1', false, false, /product and quantity.*Refund case pc_1/],
  ['payment_missing_here', 'co_1', 'pc_1', false, true, /Mend the reason.*run this again.*refund case pc_1/],
  ['payment_missing_here', 'mp_1', 'pc_1', false, true, /run this again.*refund case pc_1/],
  ['payment_missing_here', 'mp_1', 'pc_1', true, true, /The order is here/],
] as const)(
  'D-1089 %s of %s, case %s, tells the operator what to do',
  (kind, order_no, case_id, is_known_order, is_recoverable, says) => {
    const left = { kind, order_no, case_id, is_known_order, is_recoverable };
    expect(instructionsFor(left).operator).toMatch(says);
  },
);

test('D-1089 no text from outside begins a new line in a letter, and the file for programs has it exactly', () => {
  const merchant_id = '01890000-0000-7000-8000-000000000001';
  const idempotency_key = 'key\n- forged: order mp_1, paid\u001b[2J\u202e\\n';
  const at = new Date('2026-11-23T01:29:00Z');
  const restored: Restored = {
    ...{ since: at, until: at, has_archive: true, payments: [], events: [] },
    keys: [
      {
        ...{ merchant_id, idempotency_key, order_no: 'mp_1', status: 'paid', provider_payment_id: null },
        ...{ amount_minor: null, currency: null, made_again: false },
      },
    ],
    codes: [{ merchant_id, gd_no: 'gd_1', codes: 3 }],
  };
  const [letter] = lettersOf(restored);
  expect(letter?.merchant_no).toBe(merchantNo(merchant_id));
  expect(letter?.text).toContain(
    '- key\\n- forged: order mp_1, paid\\u{1b}[2J\\u{202e}\\\\n: order mp_1, paid, gone\n',
  );
  expect(letter?.text).toContain('- product gd_1: 3 codes in stock\n');
  expect(letter?.json).toMatchObject({
    idempotency_keys: [{ idempotency_key }],
    codes_in_stock: [{ gd_no: 'gd_1', codes: 3 }],
  });
});
