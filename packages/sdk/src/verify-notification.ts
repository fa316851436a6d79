/** Verifies and signs status notifications. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notification, NotificationData } from './types.ts';

/** Headers from Node, Fetch or a framework. The case of the names does not matter. */
export type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyInput {
  headers: HeaderSource;
  /** The raw bytes. A string counts as its UTF-8 bytes. Parsed and serialized JSON fails the check. */
  raw_body: Uint8Array | string;
  /** The signing secret, or all secrets in use: orders keep the key that they were created with. */
  secrets: string | readonly string[];
  /** The current time; default: now. */
  now?: Date;
  /** Maximum difference between the timestamp and the current time, in seconds. Default 300. */
  tolerance_s?: number;
}

export type VerifyFailure = 'missing_header' | 'stale' | 'bad_signature' | 'malformed';

export type VerifyResult =
  | { ok: true; notification: Notification }
  | { ok: false; reason: VerifyFailure; detail: string };

/**
 * Checks whether a request is a status notification of the service, and returns the notification.
 *
 * The signature covers the timestamp text, a period and the raw body. The body is parsed only after
 * the signature is verified. All secrets are tried, in constant time. A failure is a value, not an exception.
 * `detail` is for the receiver’s log and contains nothing from the request. Throws `TypeError` without a
 * usable secret, because with an empty key anyone could sign.
 */
export function verifyNotification(input: VerifyInput): VerifyResult {
  const secrets = secretsOf(input);
  return verify(input, own_headers, (message) => isSigned(secrets, message));
}

/**
 * The same check by the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), for a place
 * behind a gateway that drops `X-` headers or checks that standard itself. The key of a secret that begins with `whsec_` is
 * what the base64 text behind it encodes.
 */
export function verifyStandardWebhook(input: VerifyInput): VerifyResult {
  const keys = secretsOf(input).map(standardKey);
  return verify(input, standard_headers, (message) => isSignedByStandard(keys, message));
}

interface HeaderNames {
  id: string;
  timestamp: string;
  signature: string;
}

const own_headers: HeaderNames = {
  id: 'X-Service-Event-ID',
  timestamp: 'X-Service-Timestamp',
  signature: 'X-Service-Signature',
};
const standard_headers: HeaderNames = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
};

/** What was signed, and the signature that came with it. */
interface Message {
  id: string;
  timestamp: string;
  body: Uint8Array;
  signature: string;
}

function secretsOf({ secrets: given }: VerifyInput): readonly string[] {
  const secrets = typeof given === 'string' ? [given] : given;
  if (secrets.length === 0 || !secrets.every((secret) => typeof secret === 'string' && secret !== '')) {
    throw new TypeError('a verifier needs at least one secret, and none may be empty');
  }
  return secrets;
}

function verify(
  input: VerifyInput,
  names: HeaderNames,
  hasSignature: (message: Message) => boolean,
): VerifyResult {
  const id = headerOf(input.headers, names.id);
  const timestamp = headerOf(input.headers, names.timestamp);
  const signature = headerOf(input.headers, names.signature);
  if (id === undefined) return failure('missing_header', names.id);
  if (timestamp === undefined) return failure('missing_header', names.timestamp);
  if (signature === undefined) return failure('missing_header', names.signature);

  if (!/^[0-9]{1,12}$/.test(timestamp)) return failure('malformed', 'the timestamp is not in Unix seconds');
  const distance_ms = Math.abs((input.now ?? new Date()).getTime() - Number(timestamp) * 1000);
  // An invalid date gives NaN. With this form of the condition it counts as stale.
  if (!(distance_ms <= (input.tolerance_s ?? 300) * 1000))
    return failure('stale', 'the timestamp is too far from now');

  const body = typeof input.raw_body === 'string' ? Buffer.from(input.raw_body, 'utf8') : input.raw_body;
  if (!hasSignature({ id, timestamp, body, signature }))
    return failure('bad_signature', 'no secret gives this signature');

  const notification = parseEnvelope(body);
  if (notification === undefined) return failure('malformed', 'the signed body is not a status notification');
  if (notification.id !== id) return failure('malformed', `${names.id} differs from the id in the body`);
  return { ok: true, notification };
}

/**
 * Returns `sha256=` and the lower-case hexadecimal HMAC-SHA256 of timestamp, period and body, with the
 * secret’s text as key.
 */
export function signNotification(secret: string, timestamp: string, raw_body: Uint8Array | string): string {
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`, 'utf8').update(raw_body);
  return `sha256=${hmac.digest('hex')}`;
}

function isSigned(secrets: readonly string[], { timestamp, body, signature }: Message): boolean {
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) return false;
  return isOneOf(
    secrets.map((secret) => signNotification(secret, timestamp, body)),
    signature,
  );
}

/** The header may have several signatures, separated by spaces. Those of other versions than `v1` do not count. */
function isSignedByStandard(keys: readonly Buffer[], { id, timestamp, body, signature }: Message): boolean {
  const possible = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`, 'utf8').update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  let found = false;
  for (const given of signature.split(' ')) found = isOneOf(possible, given) || found;
  return found;
}

/** Compares without an early exit, so that the duration does not reveal which secret matched. */
function isOneOf(possible: readonly string[], given: string): boolean {
  const bytes = Buffer.from(given, 'utf8');
  let found = false;
  for (const one of possible) {
    const expected = Buffer.from(one, 'utf8');
    found = (bytes.length === expected.length && timingSafeEqual(bytes, expected)) || found;
  }
  return found;
}

/** The key as the libraries of Standard Webhooks read it. A text that is no base64 is a secret like any other. */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const decoded = Buffer.from(encoded, 'base64');
  const is_encoded = decoded.length > 0 && decoded.toString('base64') === encoded;
  return is_encoded ? decoded : Buffer.from(secret, 'utf8');
}

/** The single value of a header; undefined if it is absent, empty or repeated. */
function headerOf(headers: HeaderSource, name: string): string | undefined {
  const values: string[] = [];
  const entries =
    headers instanceof Headers ? [[name, headers.get(name) ?? undefined] as const] : Object.entries(headers);
  for (const [key, value] of entries) {
    if (value === undefined || key.toLowerCase() !== name.toLowerCase()) continue;
    values.push(...(typeof value === 'string' ? [value] : value));
  }
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}

function parseEnvelope(body: Uint8Array): Notification | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
  const envelope = value as Partial<Record<keyof Notification, unknown>> | null;
  const fits =
    typeof envelope?.id === 'string' &&
    envelope.type === 'merchant_payment.status_changed' &&
    envelope.api_version === 1 &&
    typeof envelope.created_at === 'string' &&
    isData(envelope.data);
  return fits ? (value as Notification) : undefined;
}

const member_types: Readonly<Partial<Record<keyof NotificationData, 'string' | 'integer' | 'boolean'>>> = {
  order_no: 'string',
  external_reference: 'string',
  payment_no: 'string',
  amount: 'string',
  amount_minor: 'integer',
  currency: 'string',
  currency_decimals: 'integer',
  // Also one of a later version.
  status: 'string',
  status_version: 'integer',
  test_mode: 'boolean',
  expires_at: 'string',
};

function isData(value: unknown): value is NotificationData {
  if (typeof value !== 'object' || value === null) return false;
  const data = value as Partial<Record<string, unknown>>;
  for (const [name, type] of Object.entries(member_types)) {
    const member = data[name];
    if (type === 'integer' ? !Number.isSafeInteger(member) : typeof member !== type) return false;
  }
  // A payment is posted under its event, so a paid notification without an event is invalid.
  return data['status'] === 'paid' ? typeof data['event_id'] === 'string' : true;
}

function failure(reason: VerifyFailure, detail: string): VerifyResult {
  return { ok: false, reason, detail };
}
