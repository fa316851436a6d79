import type { Channel, FeeRule, FeeRules } from '../../../src/channels/channel.ts';
import type { CardSession } from '../../../src/channels/card/card-sessions.ts';
import type { CollectionOrder } from '../../../src/collection/orders/order.ts';
import type { Merchant } from '../../../src/merchants/merchant.ts';
import type { Attempt } from '../../../src/payments/attempts/attempt.ts';
import type { FeeReservation } from '../../../src/payments/merchant-fees/fee-reservation.ts';
import type { Quote } from '../../../src/payments/quotes/quote.ts';

/** Complete, plain values for pure tests. Each test names only the members that it is about. */

export const merchant_id = '0190c1a0-0000-7000-8000-000000000001';
export const other_merchant_id = '0190c1a0-0000-7000-8000-000000000002';
export const buyer_id = '0190c1a0-0000-7000-8000-00000000000b';
export const owner_id = '0190c1a0-0000-7000-8000-00000000000c';
export const order_no = 'mp_01KDYJ00000000000000000000';

/** The instants of a sample order: made at `t0`, its deadline half an hour later. */
export const t0 = new Date('2026-01-02T03:00:00.000Z');
export const deadline = new Date('2026-01-02T03:30:00.000Z');

export const feeRule = (fixed_minor = 0n, percent_ppm = 0, cap_minor: bigint | null = null): FeeRule => ({
  fixed_minor,
  percent_ppm,
  cap_minor,
});

export const noFees: FeeRules = { buyer: feeRule(), merchant: feeRule() };

/** A card channel of the platform that charges USD without fees. */
export function sampleChannel(change: Partial<Channel> = {}): Channel {
  return {
    payment_no: 'ch_card',
    merchant_id: null,
    provider: 'cardprov',
    name: 'Card',
    names: {},
    payment_method_types: [],
    currency: 'USD',
    test_mode: false,
    enabled: true,
    login_required: false,
    supported_currencies: ['USD'],
    fees: new Map([['USD', noFees]]),
    debug_merchants: [],
    debug_users: [],
    api_base: 'https://cards.example',
    secret_key_box: Buffer.of(1),
    live_key: true,
    webhook_secret_box: Buffer.of(2),
    previous_webhook_secret_box: null,
    previous_webhook_valid_until: null,
    webhook_key: 'wk_card',
    created_at: t0,
    ...change,
  };
}

export function samplePtkChannel(change: Partial<Channel> = {}): Channel {
  return sampleChannel({
    payment_no: 'ch_ptk',
    provider: 'ptk',
    name: 'PTK',
    currency: 'PTK',
    supported_currencies: ['PTK'],
    fees: new Map([['PTK', noFees]]),
    secret_key_box: null,
    webhook_secret_box: null,
    webhook_key: null,
    ...change,
  });
}

export function sampleMerchant(change: Partial<Merchant> = {}): Merchant {
  return {
    merchant_id,
    name: 'Books',
    owner_user_id: owner_id,
    status: 'active',
    hold_days: 0,
    guest_purchase_allowed: true,
    credit_limit_ptk: 0n,
    embed_origins: [],
    logo_url: '',
    short_description: '',
    description: '',
    business_scope: '',
    website_url: '',
    contact: '',
    notify_url: '',
    notify_enabled: false,
    notify_secret_box: null,
    created_at: t0,
    ...change,
  };
}

/** An order of USD 10.00 at 0.10 a PTK, nothing selected. */
export function sampleOrder(change: Partial<CollectionOrder> = {}): CollectionOrder {
  return {
    merchant_id,
    order_no,
    idempotency_key: 'key-1',
    external_reference: 'INV-1',
    description: 'Two books',
    requested_payment_no: '',
    amount_minor: 1_000n,
    currency: 'USD',
    currency_decimals: 2,
    created_at: t0,
    expires_in: 1_800,
    expires_at: deadline,
    return_url: '',
    notify_mode: 'unspecified',
    notify_url: '',
    notify_secret_box: null,
    notify_secret_digest: null,
    token_key_id: '00000000',
    status: 'pending',
    status_version: 1,
    price_e12: 100_000_000_000n,
    gross_settlement_ptk: 10_000_000_000n,
    hold_days: 7,
    fee_status: 'unselected',
    fee_version: 1,
    payment_no: '',
    test_mode: false,
    payment_currency: null,
    payment_decimals: null,
    payment_amount: null,
    buyer_fee: null,
    merchant_fee: null,
    merchant_fee_ptk: 0n,
    settlement_ptk: null,
    event_id: null,
    provider_trade_no: null,
    occurred_at: null,
    occurred_at_text: null,
    wallet_user_id: null,
    ...change,
  };
}

/** The card quote of the worked example in the requirements (vector A1). */
export function sampleQuote(change: Partial<Quote> = {}): Quote {
  return {
    method_id: 'pm_card',
    payment_no: 'ch_card',
    provider: 'cardprov',
    owner: 'platform',
    test_mode: false,
    currency: 'USD',
    currency_decimals: 2,
    subtotal: 1_000n,
    buyer_fee: 60n,
    merchant_fee: 26n,
    merchant_fee_ptk: 260_000_000n,
    fee_rules: { buyer: feeRule(30n, 29_000), merchant: feeRule(10n, 15_000) },
    ...change,
  };
}

/** A card attempt that is being created. */
export function sampleAttempt(change: Partial<Attempt> = {}): Attempt {
  return {
    merchant_id,
    attempt_id: 'pa_1',
    order_no,
    seq: 1,
    method_id: 'pm_card',
    payment_no: 'ch_card',
    provider: 'cardprov',
    test_mode: false,
    state: 'creating',
    amount: 1_060n,
    currency: 'USD',
    currency_decimals: 2,
    buyer_user_id: null,
    created_at: t0,
    lease_until: null,
    unclear_since: null,
    session_id: null,
    session_url: null,
    session_expires_at: null,
    provider_trade_no: null,
    check_at: null,
    paid_at: null,
    closed_at: null,
    request: null,
    detail: {},
    ...change,
  };
}

/** The session of that attempt, open, in full agreement with it. */
export function sampleSession(change: Partial<CardSession> = {}): CardSession {
  return {
    id: 'cs_1',
    url: 'https://cards.example/pay/cs_1',
    status: 'open',
    paid: false,
    amount: 1_060n,
    currency: 'USD',
    reference: 'pa_1',
    order_no,
    merchant_id,
    mode_matches: true,
    livemode: true,
    payment_id: null,
    created: 0,
    ...change,
  };
}

/** The fee of that attempt on the merchant's own channel: set aside from wallet and credit. */
export function sampleReservation(change: Partial<FeeReservation> = {}): FeeReservation {
  return {
    merchant_id,
    attempt_id: 'pa_1',
    order_no,
    state: 'reserved',
    fee_ptk: 10n,
    available_ptk: 6n,
    credit_ptk: 4n,
    reserved_at: t0,
    released_at: null,
    captured_at: null,
    ...change,
  };
}
