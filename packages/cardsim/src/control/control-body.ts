import { isSecretKey, accountOf } from '../api/account.ts';
import { parseAmount } from '../records/amounts.ts';
import { ControlError, invalidMember } from './control-error.ts';
import {
  fault_endpoints,
  fault_modes,
  type ArmedFault,
  type Fault,
  type FaultEndpoint,
} from '../simulator/faults.ts';
import type { WebhookTarget } from '../records/records.ts';

/** Readers for the JSON bodies of the control side. Each refuses with 400 and the member's name. */

export type Body = { [member: string]: unknown };

/** An object; no body at all counts as an empty one. */
export function bodyOf(value: unknown): Body {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ControlError(400, 'invalid_request', 'The body must be a JSON object');
  }
  return value as Body;
}

export function choice<T extends string>(body: Body, field: string, choices: readonly T[]): T {
  const found = choices.find((item) => item === body[field]);
  if (found === undefined) throw invalidMember(field, `must be one of ${choices.join(', ')}`);
  return found;
}

export function flag(body: Body, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value !== 'boolean') throw invalidMember(field, 'must be true or false');
  return value;
}

export function text(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw invalidMember(field, 'must be a text');
  return value;
}

export function whole(body: Body, field: string, min: number, max: number): number {
  const value = body[field];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw invalidMember(field, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Minor units above zero, as a JSON integer or its digits in a text. */
export function amount(body: Body, field: string): bigint {
  const value = parseAmount(body[field]);
  if (value === undefined || value === 0n)
    throw invalidMember(field, 'must be a whole number of minor units above 0');
  return value;
}

export function currencyCode(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || !/^[A-Za-z]{3}$/.test(value))
    throw invalidMember(field, 'must be three letters');
  return value.toLowerCase();
}

/** The account of a secret key, or null if none is given. */
export function accountMember(body: Body): string | null {
  const value = body['account'] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || !isSecretKey(value))
    throw invalidMember('account', 'must be a secret key (sk_…)');
  return accountOf(value).id;
}

/** `{endpoint, mode, times?, account?, …}` as `POST /_sim/faults` takes it. */
export function armedFault(body: Body, id: string): ArmedFault {
  const endpoint = choice(body, 'endpoint', fault_endpoints);
  const times = body['times'] === undefined ? 1 : whole(body, 'times', 1, 1_000_000);
  const fault = faultOf(body);
  if (fault.mode === 'pending' && endpoint !== 'refunds.create') {
    throw invalidMember('mode', 'pending is for refunds.create');
  }
  if ((fault.mode === 'amount' || fault.mode === 'currency') && !isForgeable(endpoint)) {
    throw invalidMember('mode', `${fault.mode} is for sessions and refunds.create`);
  }
  return { id, endpoint, account: accountMember(body), times, fault };
}

/** Whether the answers of an endpoint can be given another amount or currency. */
const isForgeable = (endpoint: FaultEndpoint): boolean =>
  endpoint.startsWith('sessions.') || endpoint === 'refunds.create';

function faultOf(body: Body): Fault {
  const mode = choice(body, 'mode', fault_modes);
  switch (mode) {
    case 'status':
      return {
        mode,
        status: whole(body, 'status', 200, 599),
        body: body['body'],
        processed: flag(body, 'processed'),
      };
    case 'delay':
      return { mode, delay_ms: whole(body, 'delay_ms', 0, 3_600_000) };
    case 'amount':
      return { mode, amount_total: amount(body, 'amount_total') };
    case 'currency':
      return { mode, currency: currencyCode(body, 'currency') };
    case 'hang_before':
    case 'hang_after':
    case 'reset_after':
    case 'truncate':
    case 'pending':
      return { mode };
  }
}

/** `{url, secret, account?}` as `POST /_sim/webhooks` takes it. */
export function webhookTarget(body: Body): WebhookTarget {
  const url = text(body, 'url');
  if (!isWebhookUrl(url)) throw invalidMember('url', 'must be an http or https address');
  return { url, secret: text(body, 'secret'), account: accountMember(body) };
}

export function isWebhookUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
