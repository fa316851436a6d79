/** Decodes and normalizes the body of a creation request. It reads no live data. */
import { AppError, invalid } from '../../base/errors.ts';
import { parseReturnUrl } from '../../base/input/return-url.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import { trimmed } from '../../base/input/trimmed.ts';
import { parseNotifyConfig, type NotifyConfig } from '../../notifications/settings/index.ts';
import { readAmount, type RequestedAmount } from './requested-amount.ts';

/** A well-formed creation request, normalized (D-027). */
export interface CreateRequest {
  external_reference: string;
  idempotency_key: string;
  amount: RequestedAmount;
  currency: string;
  payment_no: string;
  description: string;
  expires_in: number;
  return_url: string;
  notify: NotifyConfig;
}

const defaultExpiresIn = 1_800;

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

/**
 * Reads the parameters of a creation request in the order of D-012. The first invalid parameter decides the error;
 * currency, precision and range of the amount are checked later. Unknown members are ignored, also those that
 * name a merchant or a buyer (R-015, R-083, D-014). Equivalent ways to write or omit a parameter give the same
 * request, so that a repetition matches (R-103, D-027).
 *
 * @param allow_cidrs address ranges that count as public for notifications (D-141)
 * @throws AppError with the contract's code for the invalid parameter; `invalid_request` if the body is not an object
 *   (R-059, D-137)
 */
export function decodeCreateRequest(
  body: JsonValue | undefined,
  allow_cidrs: readonly string[] = [],
): CreateRequest {
  if (!isJsonObject(body)) {
    throw new AppError('invalid_request', { description: 'The body must be a JSON object.' });
  }
  return {
    external_reference: readReference(body.external_reference),
    idempotency_key: readKey(body.idempotency_key),
    amount: readAmount(body),
    currency: readCurrency(body.currency),
    payment_no: readOptionalText('payment_no', body.payment_no),
    description: readDescription(body.description),
    expires_in: readExpiresIn(body.expires_in),
    return_url: readReturnUrl(body.return_url),
    // `notify_enabled`, `notify_url` and `notify_secret`.
    notify: parseNotifyConfig(body, allow_cidrs),
  };
}

/** The reference, trimmed: 1 to 191 bytes (R-022, R-060, R-061, D-021, D-034). */
function readReference(value: JsonValue | undefined): string {
  const reference = typeof value === 'string' ? trimmed(value) : '';
  if (reference === '' || bytes(reference) > 191) {
    throw invalid('external_reference', 'external_reference must be a non-empty text of at most 191 bytes.');
  }
  return reference;
}

/** The key is opaque: it is not trimmed, and case matters (R-063, D-032). */
function readKey(value: JsonValue | undefined): string {
  if (typeof value !== 'string' || trimmed(value) === '' || bytes(value) > 128) {
    throw invalid('idempotency_key', 'idempotency_key must be a non-empty text of at most 128 bytes.');
  }
  return value;
}

/** The code is not trimmed, and case matters (R-068, R-069, D-035). Whether it is enabled is checked later. */
function readCurrency(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw invalid('currency', 'currency must be an upper-case currency code.');
  return value;
}

/** An optional text, trimmed. Null and blank count as omitted. */
function readOptionalText(field: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw invalid(field, `${field} must be a text.`);
  return trimmed(value);
}

/** At most 500 bytes after trimming. */
function readDescription(value: JsonValue | undefined): string {
  const description = readOptionalText('description', value);
  if (bytes(description) > 500) throw invalid('description', 'description must have at most 500 bytes.');
  return description;
}

/**
 * Seconds from 60 to 7200. Omitting them means the same as writing the default, 1800 (R-070, R-104, R-194, D-013,
 * D-027).
 */
function readExpiresIn(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return defaultExpiresIn;
  if (typeof value !== 'number' || value < 60 || value > 7_200) {
    throw new AppError('invalid_expires_in', { field: 'expires_in' });
  }
  return value;
}

/**
 * The address that the buyer returns to, trimmed and otherwise byte for byte; empty if it is blank or omitted
 * (R-073, R-074, D-124).
 */
function readReturnUrl(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? trimmed(value) : null;
  if (text === '') return '';
  const url = text === null ? null : parseReturnUrl(text);
  if (url === null) throw new AppError('invalid_return_url', { field: 'return_url' });
  return url;
}
