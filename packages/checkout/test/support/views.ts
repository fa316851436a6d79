/** States of an order for tests. */
import type { CheckoutMethod, CheckoutView, PageContext } from '../../src/index.ts';
import { bareAssets } from '../../src/index.ts';

export const card: CheckoutMethod = {
  method_id: 'm_card',
  name: 'Credit or debit card',
  provider: 'cardprov',
  login_required: false,
  test_mode: false,
  usable: true,
  payment_currency: 'USD',
  payment_subtotal: '10.00',
  buyer_fee: '0.60',
  payment_amount: '10.60',
};

export const ptk: CheckoutMethod = {
  method_id: 'm_ptk',
  name: 'PTK wallet',
  provider: 'ptk',
  login_required: true,
  test_mode: false,
  usable: true,
  payment_currency: 'PTK',
  payment_subtotal: '142.85714286',
  buyer_fee: '1.42857143',
  payment_amount: '144.28571429',
};

/** A channel that offers a few methods of its account. */
export const several: CheckoutMethod = {
  ...card,
  types: [
    { type: 'card', name: 'Card' },
    { type: 'apple_pay', name: 'Apple Pay' },
    { type: 'ideal', name: 'iDEAL' },
    { type: 'sepa_debit', name: 'SEPA Direct Debit', days: 20, wait: 'up to 20 days' },
  ],
};

const debit = { type: 'sepa_debit', name: 'SEPA Direct Debit', last4: '3000' };

export const buyer = { name: 'Dana Buyer', ptk_available: '500.00000000' };

/** A pending order of USD 10.00 with both methods, and the changes that a test makes to it. */
export const viewOf = (changes: Partial<CheckoutView> = {}): CheckoutView => ({
  order_no: 'mp_01JZ8Q4C7N2VXK5T9R3B6M1D0E',
  merchant: { name: 'Lantern Books', logo_url: null },
  description: 'The Art of the Ledger, paperback, and a linen bookmark',
  external_reference: 'INV-2026-00417',
  amount: '10.00',
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  expires_at: '2026-11-21T14:35:00.000Z',
  seconds_left: 1798,
  test_mode: false,
  attempt: null,
  buyer: null,
  methods: [card, ptk],
  ptk_price: '0.070000000000',
  ...changes,
});

export const contextOf = (changes: Partial<PageContext> = {}): PageContext => ({
  nonce: 'bm9uY2Ugb2YgdGhlIHBhZ2U=',
  token: 'tok_en-1',
  base_path: '',
  locale: 'en',
  assets: bareAssets,
  sign_in_url: '/sign-in?return_to=%2Fcheckout%2Fmp_01JZ8Q4C7N2VXK5T9R3B6M1D0E%3Ftoken%3Dtok_en-1',
  ...changes,
});

const open = { state: 'open', method_id: 'm_card' };
const paid = { state: 'paid', method_id: 'm_card' };
const occurred_at = '2026-11-21T14:12:09Z';

/** Every state that the page has a design for, by name. */
export const cases: Readonly<Record<string, { view: CheckoutView; page?: Partial<PageContext> }>> = {
  choose: { view: viewOf() },
  'choose-signed-in': { view: viewOf({ buyer }) },
  'preview-card': { view: viewOf({ buyer }), page: { preview_method_id: 'm_card' } },
  'preview-ptk': { view: viewOf({ buyer }), page: { preview_method_id: 'm_ptk' } },
  methods: { view: viewOf({ methods: [several, ptk] }) },
  'processing-days': {
    view: viewOf({
      status: 'review',
      methods: [several, ptk],
      attempt: {
        state: 'processing',
        method_id: 'm_card',
        paid_with: debit,
        days: 20,
        wait: 'up to 20 days',
      },
    }),
  },
  'only-card': { view: viewOf({ methods: [card] }) },
  'sign-in-required': { view: viewOf(), page: { preview_method_id: 'm_ptk', notice: 'login_required' } },
  'self-payment': {
    view: viewOf({
      buyer,
      methods: [card, { ...ptk, usable: false, unusable_reason: 'self_payment_not_allowed' }],
    }),
    page: { preview_method_id: 'm_ptk' },
  },
  'balance-too-low': {
    view: viewOf({ buyer: { ...buyer, ptk_available: '20.00000000' } }),
    page: { preview_method_id: 'm_ptk', notice: 'insufficient_balance' },
  },
  rejected: { view: viewOf(), page: { notice: 'provider_checkout_rejected' } },
  conflict: { view: viewOf({ attempt: open }), page: { notice: 'payment_conflict' } },
  limited: { view: viewOf(), page: { notice: 'rate_limited', retry_after_s: 42 } },
  'no-method': {
    view: viewOf({ methods: [{ ...card, usable: false, unusable_reason: 'channel_unavailable' }] }),
  },
  'test-mode': {
    view: viewOf({ methods: [{ ...card, name: 'Card (test channel)', test_mode: true }, ptk] }),
    page: { preview_method_id: 'm_card' },
  },
  resume: { view: viewOf({ attempt: open }) },
  returned: { view: viewOf({ attempt: open }), page: { back: 'returned' } },
  canceled: { view: viewOf({ attempt: open }), page: { back: 'canceled' } },
  unresolved: {
    view: viewOf({ attempt: { ...open, state: 'unknown' } }),
    page: { notice: 'provider_result_pending' },
  },
  processing: { view: viewOf({ attempt: { ...open, state: 'processing' } }) },
  'attempt-ended': { view: viewOf({ attempt: { ...open, state: 'failed' } }) },
  mismatch: {
    view: viewOf({ attempt: { ...open, state: 'mismatch' } }),
    page: { notice: 'provider_result_mismatch' },
  },
  review: { view: viewOf({ status: 'review', attempt: open, seconds_left: 0 }) },
  paid: { view: viewOf({ status: 'paid', attempt: paid, occurred_at, buyer }) },
  'paid-with-return': {
    view: viewOf({ status: 'paid', attempt: paid, occurred_at, return_url: 'https://shop.example/ok?x=1#y' }),
  },
  'paid-late': {
    view: viewOf({ status: 'paid', attempt: { ...paid, state: 'paid_late' }, occurred_at, seconds_left: 0 }),
  },
  expired: { view: viewOf({ status: 'expired', seconds_left: 0 }) },
  refunded: { view: viewOf({ status: 'refunded', attempt: paid, occurred_at }) },
  'charged-back': { view: viewOf({ status: 'chargeback', attempt: paid, occurred_at }) },
  'status-of-the-future': { view: viewOf({ status: 'partially_paid', attempt: paid }) },
};
