import { wireAmount } from '../records/amounts.ts';
import { evidence_fields, usual_due_seconds } from '../records/evidence.ts';
import type {
  DisputeRecord,
  FileRecord,
  LineItemRecord,
  PaymentMethod,
  PaymentRecord,
  RefundRecord,
  SessionRecord,
} from '../records/records.ts';

/** The provider’s JSON objects. All names are those of its public API reference. */

/** The version of the provider’s API that these objects have. */
export const api_version = '2026-10-28.endive';

export type Wire = { [member: string]: unknown };

export function sessionPageUrl(public_url: string, session_id: string): string {
  return `${public_url}/c/pay/${session_id}`;
}

export function wireSession(session: SessionRecord, public_url: string): Wire {
  const { payer_email } = session;
  return {
    id: session.id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: session.allowed_payment_method_types ?? null,
    amount_subtotal: wireAmount(session.amount_subtotal),
    amount_total: wireAmount(session.amount_total),
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: session.cancel_url,
    client_reference_id: session.client_reference_id,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: session.created,
    currency: session.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_creation: 'if_required',
    customer_details:
      payer_email === null
        ? null
        : {
            address: { city: null, country: 'US', line1: null, line2: null, postal_code: null, state: null },
            business_name: null,
            email: payer_email,
            individual_name: null,
            name: null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: [],
          },
    customer_email: session.customer_email,
    discounts: [],
    expires_at: session.expires_at,
    invoice: null,
    invoice_creation: null,
    livemode: session.livemode,
    locale: session.locale,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent: session.payment_intent,
    payment_link: null,
    payment_method_collection: 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: session.payment_method_types,
    payment_status: session.payment_status,
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: session.status,
    submit_type: session.submit_type,
    subscription: null,
    success_url: session.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: session.status === 'open' ? sessionPageUrl(public_url, session.id) : null,
    wallet_options: null,
  };
}

function wireLineItem(item: LineItemRecord, currency: string): Wire {
  const total = wireAmount(item.unit_amount * item.quantity);
  return {
    id: item.id,
    object: 'item',
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency,
    description: item.name,
    metadata: {},
    price: { object: 'price', currency, type: 'one_time', unit_amount: wireAmount(item.unit_amount) },
    quantity: wireAmount(item.quantity),
  };
}

export function wirePaymentIntent(payment: PaymentRecord): Wire {
  const succeeded = payment.status === 'succeeded';
  return {
    id: payment.id,
    object: 'payment_intent',
    amount: wireAmount(payment.amount),
    amount_capturable: 0,
    amount_received: succeeded ? wireAmount(payment.amount) : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: null,
    confirmation_method: 'automatic',
    created: payment.created,
    currency: payment.currency,
    customer: null,
    description: payment.description,
    last_payment_error:
      payment.status === 'requires_payment_method'
        ? {
            type: 'invalid_request_error',
            code: 'payment_intent_payment_attempt_failed',
            message: failure_message,
            ...(payment.decline && { type: 'card_error', ...payment.decline }),
          }
        : null,
    latest_charge: payment.charge_id,
    livemode: payment.livemode,
    metadata: payment.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: {},
    payment_method_types: [payment.method.type],
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: payment.status,
    transfer_data: null,
    transfer_group: null,
  };
}

const failure_message = 'The bank refused the debit.';
const charge_status = { processing: 'pending', succeeded: 'succeeded', requires_payment_method: 'failed' };

export function wireCharge(payment: PaymentRecord): Wire {
  const succeeded = payment.status === 'succeeded';
  const failed = payment.status === 'requires_payment_method';
  return {
    id: payment.charge_id,
    object: 'charge',
    amount: wireAmount(payment.amount),
    amount_captured: succeeded ? wireAmount(payment.amount) : 0,
    amount_refunded: wireAmount(payment.amount_refunded),
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: payment.payer_email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: succeeded,
    created: payment.created,
    currency: payment.currency,
    customer: null,
    description: payment.description,
    disputed: payment.dispute_id !== null,
    failure_balance_transaction: null,
    failure_code: failed ? (payment.decline?.code ?? 'payment_intent_payment_attempt_failed') : null,
    failure_message: failed ? (payment.decline?.message ?? failure_message) : null,
    fraud_details: {},
    livemode: payment.livemode,
    metadata: payment.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: succeeded,
    payment_intent: payment.id,
    payment_method: null,
    payment_method_details: wireMethod(payment.method),
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: succeeded && payment.amount_refunded === payment.amount,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge_status[payment.status],
    transfer_data: null,
    transfer_group: null,
  };
}

function wireMethod(method: PaymentMethod): Wire {
  const { type, last4 } = method;
  if (!('brand' in method)) return { type, [type]: last4 === null ? {} : { last4 } };
  const { brand, wallet } = method;
  const wireWallet = wallet === undefined ? null : { type: wallet, dynamic_last4: null, [wallet]: {} };
  return { type, card: { brand, last4, wallet: wireWallet } };
}

export function wireRefund(refund: RefundRecord): Wire {
  return {
    id: refund.id,
    object: 'refund',
    amount: wireAmount(refund.amount),
    balance_transaction: null,
    charge: refund.charge_id,
    created: refund.created,
    currency: refund.currency,
    ...(refund.status === 'failed' ? { failure_reason: 'declined' } : {}),
    ...(refund.status === 'pending' ? { pending_reason: 'processing' } : {}),
    metadata: refund.metadata,
    payment_intent: refund.payment_intent,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  };
}

export function wireDispute(dispute: DisputeRecord): Wire {
  const { evidence = {}, submission_count = 0 } = dispute;
  return {
    id: dispute.id,
    object: 'dispute',
    amount: wireAmount(dispute.amount),
    balance_transactions: [],
    charge: dispute.charge_id,
    created: dispute.created,
    currency: dispute.currency,
    evidence: Object.fromEntries(evidence_fields.map((field) => [field, evidence[field] ?? null])),
    evidence_details: {
      due_by: dispute.due_by ?? dispute.created + usual_due_seconds,
      has_evidence: Object.keys(evidence).length > 0,
      past_due: dispute.past_due ?? false,
      submission_count,
    },
    is_charge_refundable: dispute.status.startsWith('warning_'),
    livemode: dispute.livemode,
    metadata: {},
    payment_intent: dispute.payment_intent,
    reason: dispute.reason ?? 'fraudulent',
    status: dispute.status,
  };
}

export function wireFile(file: FileRecord): Wire {
  return {
    id: file.id,
    object: 'file',
    created: file.created,
    expires_at: null,
    filename: file.filename,
    links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${file.id}` },
    purpose: file.purpose,
    size: file.size,
    title: null,
    type: file.type,
    url: `https://files.stripe.com/v1/files/${file.id}/contents`,
  };
}

/** A page of a list, in the provider’s format. */
export function wireList(url: string, data: Wire[], has_more: boolean): Wire {
  return { object: 'list', data, has_more, url };
}

export function lineItemsOf(session: SessionRecord): Wire {
  const items = session.line_items.map((item) => wireLineItem(item, session.currency));
  return wireList(`/v1/checkout/sessions/${session.id}/line_items`, items, false);
}
