/** Creating, reading and expiring Checkout Sessions. */
import { max_amount, parseAmount } from '../records/amounts.ts';
import { default_methods, methods } from '../records/methods.ts';
import { expandBody, listRecords, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { recordEvent, type EventOrigin } from '../webhooks/events.ts';
import type { Fault } from '../simulator/faults.ts';
import {
  memberPath,
  metadataOf,
  optionalChoice,
  optionalList,
  optionalText,
  optionalTime,
  optionalTree,
  optionalUrl,
  optionalWhole,
  requiredText,
  requiredWhole,
} from '../api/params.ts';
import type { EventRecord, LineItemRecord, SessionRecord } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { invalidParameter, noSuch, notAllowedNow } from '../api/stripe-error.ts';
import type { FormTree, FormValue } from '../api/stripe-form.ts';
import { wireSession, type Wire } from '../api/wire.ts';

const min_life_seconds = 30 * 60;
const max_life_seconds = 24 * 60 * 60;

/** `POST /v1/checkout/sessions`: one-time payments on the hosted page. */
export function createSession(call: Call): Outcome {
  const { sim, params, fault } = call;
  checkMode(params);
  const success_url = optionalUrl(params, 'success_url') ?? requiredText(params, 'success_url');
  const { items, currency } = lineItems(sim, params);
  const total = items.reduce((sum, item) => sum + item.unit_amount * item.quantity, 0n);
  if (total === 0n) throw invalidParameter('line_items', 'The total must be above zero', 'amount_too_small');
  if (total > max_amount) throw invalidParameter('line_items', 'The total is too large', 'amount_too_large');
  const created = sim.clock.seconds();
  const intent = optionalTree(params, 'payment_intent_data') ?? {};
  const allowed = allowedTypes(params);
  const amount = fault?.mode === 'amount' ? fault.amount_total : total;
  const session: SessionRecord = {
    id: sim.newId(call.account.livemode ? 'cs_live_' : 'cs_test_', 58),
    account: call.account.id,
    livemode: call.account.livemode,
    created,
    expires_at: expiry(params, created),
    status: 'open',
    payment_status: 'unpaid',
    amount_subtotal: amount,
    amount_total: amount,
    currency: fault?.mode === 'currency' ? fault.currency : currency,
    client_reference_id: optionalText(params, 'client_reference_id', '', 200) ?? null,
    customer_email: optionalText(params, 'customer_email', '', 800) ?? null,
    locale: optionalChoice(params, 'locale', locales) ?? null,
    submit_type: optionalText(params, 'submit_type', '', 20) ?? null,
    allowed_payment_method_types: allowed,
    payment_method_types: offeredTypes(call, allowed, currency),
    metadata: metadataOf(params),
    intent_metadata: metadataOf(intent, 'metadata', 'payment_intent_data'),
    intent_description: optionalText(intent, 'description', 'payment_intent_data', 1000) ?? null,
    line_items: items,
    success_url,
    cancel_url: optionalUrl(params, 'cancel_url') ?? null,
    payment_intent: null,
    payer_email: null,
    challenge_email: null,
    auto_settle: null,
  };
  sim.store.sessions.set(session.id, session);
  return { body: expandBody(wireSession(session, sim.publicUrl()), call), session_id: session.id };
}

/** `GET /v1/checkout/sessions/{id}` */
export function retrieveSession(call: Call): Outcome {
  const session = ownRecord(call.sim.store.sessions, call, 'checkout.session', 'session');
  return { body: expandBody(wireAnswer(call, session), call), session_id: session.id };
}

/** `GET /v1/checkout/sessions`, optionally for one `payment_intent` or `status`. */
export function listSessions(call: Call): Outcome {
  const payment_intent = optionalText(call.params, 'payment_intent');
  const status = optionalChoice(call.params, 'status', ['open', 'complete', 'expired']);
  return listRecords(
    call,
    call.sim.store.sessions,
    'checkout.session',
    (session) => wireAnswer(call, session),
    (session) =>
      (payment_intent === undefined || session.payment_intent === payment_intent) &&
      (status === undefined || session.status === status),
  );
}

/** `POST /v1/checkout/sessions/{id}/expire`: only an open session can expire. */
export function expireSession(call: Call): Outcome {
  const session = ownRecord(call.sim.store.sessions, call, 'checkout.session', 'session');
  if (session.status !== 'open') {
    throw notAllowedNow(
      'Only Checkout Sessions with a status in ["open"] can be expired. ' +
        `This Checkout Session has a status of ${session.status}.`,
    );
  }
  const events = [markExpired(call.sim, session, call)];
  return { body: expandBody(wireAnswer(call, session), call), events, session_id: session.id };
}

/** Expires the session and records the event. */
export function markExpired(sim: Sim, session: SessionRecord, origin: EventOrigin = null): EventRecord {
  session.status = 'expired';
  session.challenge_email = null;
  return recordEvent(sim, session, 'checkout.session.expired', wireSession(session, sim.publicUrl()), origin);
}

/** The session for the answer. An `amount` or `currency` fault changes only this answer, not the session. */
function wireAnswer({ sim, fault }: Call, session: SessionRecord): Wire {
  return wireSession({ ...session, ...forgedMembers(fault) }, sim.publicUrl());
}

function forgedMembers(fault: Fault | undefined): Partial<SessionRecord> {
  if (fault?.mode === 'amount')
    return { amount_subtotal: fault.amount_total, amount_total: fault.amount_total };
  return fault?.mode === 'currency' ? { currency: fault.currency } : {};
}

function checkMode(params: FormTree): void {
  const mode =
    optionalChoice(params, 'mode', ['payment', 'setup', 'subscription']) ?? requiredText(params, 'mode');
  if (mode !== 'payment')
    throw invalidParameter('mode', `This simulator supports only the mode payment, not ${mode}.`);
  const ui_mode = optionalText(params, 'ui_mode') ?? 'hosted_page';
  // Earlier versions of the API use the name `hosted`.
  if (ui_mode !== 'hosted_page' && ui_mode !== 'hosted') {
    throw invalidParameter('ui_mode', `This simulator supports only the hosted page, not ${ui_mode}.`);
  }
}

/** The languages of the provider’s page. */
const locales = [
  ...[
    'auto',
    'bg',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'en-GB',
    'es',
    'es-419',
    'et',
    'fi',
    'fil',
    'fr',
    'fr-CA',
    'hi-IN',
  ],
  ...[
    'hr',
    'hu',
    'id',
    'it',
    'ja',
    'ko',
    'lt',
    'lv',
    'ms',
    'mt',
    'nb',
    'nl',
    'pl',
    'pt',
    'pt-BR',
    'ro',
    'ru',
    'sk',
  ],
  ...['sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW'],
];

/**
 * The methods that a session may offer at most, or null if the request names none. As at the provider, the list is only a
 * filter, and the parameter of earlier versions of the API is refused.
 */
function allowedTypes(params: FormTree): string[] | null {
  if (optionalList(params, 'payment_method_types') !== undefined) {
    const message = 'payment_method_types is not supported any more: use allowed_payment_method_types.';
    throw invalidParameter('payment_method_types', message, 'payment_method_types_no_longer_supported');
  }
  const types = optionalList(params, 'allowed_payment_method_types');
  if (types === undefined) return null;
  return types.map((type, index) => {
    if (typeof type === 'string' && Object.hasOwn(methods, type)) return type;
    const param = `allowed_payment_method_types[${index}]`;
    throw invalidParameter(param, `Invalid ${param}: must be one of ${Object.keys(methods).join(', ')}`);
  });
}

/** The methods that a session offers: those of its account that are allowed and can pay in its currency. */
function offeredTypes(call: Call, allowed: string[] | null, currency: string): string[] {
  const activated = call.sim.methods.get(call.account.id);
  const known = activated ?? (allowed === null ? default_methods : Object.keys(methods));
  if (activated === undefined && allowed === null) return [...known];
  const offered = (allowed ?? known).filter(
    (type) => known.includes(type) && methods[type]?.currencies?.includes(currency) !== false,
  );
  if (offered.length > 0) return offered;
  const message = `The account has no payment method for ${currency} that this session allows.`;
  throw invalidParameter('allowed_payment_method_types', message);
}

function expiry(params: FormTree, created: number): number {
  const expires_at = optionalTime(params, 'expires_at') ?? created + max_life_seconds;
  if (expires_at < created + min_life_seconds) {
    const message = 'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.';
    throw invalidParameter('expires_at', message);
  }
  if (expires_at > created + max_life_seconds) {
    const message = 'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.';
    throw invalidParameter('expires_at', message);
  }
  return expires_at;
}

function lineItems(sim: Sim, params: FormTree): { items: LineItemRecord[]; currency: string } {
  const list = optionalList(params, 'line_items') ?? [];
  if (list.length === 0)
    throw invalidParameter('line_items', 'Missing required param: line_items.', 'parameter_missing');
  if (list.length > 100) throw invalidParameter('line_items', 'At most 100 line items are allowed.');
  const read = list.map((value, index) => lineItem(sim, value, `line_items[${index}]`));
  const currency = read[0]?.currency ?? '';
  read.forEach((item, index) => {
    if (item.currency === currency) return;
    const param = `line_items[${index}][price_data][currency]`;
    throw invalidParameter(param, 'All line items must have the same currency.');
  });
  return { items: read.map(({ item }) => item), currency };
}

function lineItem(sim: Sim, value: FormValue, at: string): { item: LineItemRecord; currency: string } {
  if (typeof value === 'string' || Array.isArray(value)) throw invalidParameter(at, `Invalid object: ${at}`);
  const price = optionalText(value, 'price', at);
  if (price !== undefined) throw noSuch('price', price, memberPath(at, 'price'));
  const data = optionalTree(value, 'price_data', at);
  const price_at = memberPath(at, 'price_data');
  if (data === undefined)
    throw invalidParameter(price_at, `Missing required param: ${price_at}.`, 'parameter_missing');
  const currency = requiredText(data, 'currency', price_at).toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) {
    throw invalidParameter(memberPath(price_at, 'currency'), `Invalid currency: ${currency}`);
  }
  const product_at = memberPath(price_at, 'product_data');
  const product = optionalTree(data, 'product_data', price_at) ?? {};
  const quantity = optionalWhole(value, 'quantity', at) ?? 1n;
  if (quantity === 0n) throw invalidParameter(memberPath(at, 'quantity'), 'The quantity must be at least 1');
  const item: LineItemRecord = {
    id: sim.newId('li_'),
    name: requiredText(product, 'name', product_at),
    description: optionalText(product, 'description', product_at) ?? null,
    unit_amount: unitAmount(data, price_at),
    quantity,
  };
  return { item, currency };
}

/** `unit_amount`, or `unit_amount_decimal` if it is a whole number. */
function unitAmount(data: FormTree, at: string): bigint {
  const decimal = optionalText(data, 'unit_amount_decimal', at);
  if (decimal === undefined) return requiredWhole(data, 'unit_amount', at);
  const amount = parseAmount(decimal.replace(/\.0*$/, ''));
  if (amount !== undefined) return amount;
  throw invalidParameter(
    memberPath(at, 'unit_amount_decimal'),
    `Not a whole number of minor units: ${decimal}`,
  );
}
