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
import { methods } from '../records/methods.ts';
import type { WebhookTarget } from '../records/records.ts';

/**
 * Readers for the JSON bodies of the control API. Each throws 400 with the member’s name for an invalid
 * value.
 */

export type Body = { [member: string]: unknown };

/** The body as an object. A missing body counts as an empty object. */
export function bodyOf(value: unknown): Body {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new ControlError(400, 'invalid_request', 'The body must be a JSON object');
  }
  return value as Body;
}

export function readChoice<T extends string>(body: Body, field: string, choices: readonly T[]): T {
  const found = choices.find((item) => item === body[field]);
  if (found === undefined) throw invalidMember(field, `must be one of ${choices.join(', ')}`);
  return found;
}

export function readBoolean(body: Body, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value !== 'boolean') throw invalidMember(field, 'must be true or false');
  return value;
}

export function readText(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '')
    throw invalidMember(field, 'must be a string that is not empty');
  return value;
}

export function readWhole(body: Body, field: string, min: number, max: number): number {
  const value = body[field];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw invalidMember(field, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Minor units above zero, as a JSON integer or as a string of digits. */
export function readAmount(body: Body, field: string): bigint {
  const value = parseAmount(body[field]);
  if (value === undefined || value === 0n)
    throw invalidMember(field, 'must be a whole number of minor units above 0');
  return value;
}

export function readCurrency(body: Body, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || !/^[A-Za-z]{3}$/.test(value))
    throw invalidMember(field, 'must be three letters');
  return value.toLowerCase();
}

/** The account of a secret key, or null if none is given. */
export function readAccount(body: Body): string | null {
  const value = body['account'] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || !isSecretKey(value))
    throw invalidMember('account', 'must be a secret key (sk_…)');
  return accountOf(value).id;
}

/** Reads the body of `PUT /_sim/methods`: `{account, methods}`. */
export function readActivation(body: Body): { account: string; types: string[] } {
  const account = readAccount(body);
  if (account === null) throw invalidMember('account', 'must be a secret key (sk_…)');
  const named: unknown = body['methods'];
  const types = Array.isArray(named) ? named.filter((type) => typeof type === 'string') : [];
  if (
    !Array.isArray(named) ||
    types.length < named.length ||
    types.some((type) => !Object.hasOwn(methods, type))
  ) {
    throw invalidMember('methods', `must be a list of ${Object.keys(methods).join(', ')}`);
  }
  return { account, types };
}

/** Reads the body of `POST /_sim/faults`: `{endpoint, mode, times?, account?, …}`. */
export function readArmedFault(body: Body, id: string): ArmedFault {
  const endpoint = readChoice(body, 'endpoint', fault_endpoints);
  const times = body['times'] === undefined ? 1 : readWhole(body, 'times', 1, 1_000_000);
  const fault = readFault(body);
  if (fault.mode === 'pending' && endpoint !== 'refunds.create') {
    throw invalidMember('mode', 'pending is only for refunds.create');
  }
  if ((fault.mode === 'amount' || fault.mode === 'currency') && !isForgeable(endpoint)) {
    throw invalidMember('mode', `${fault.mode} is only for sessions and refunds.create`);
  }
  return { id, endpoint, account: readAccount(body), times, fault };
}

/** Whether a fault can change the amount or currency in the answers of an endpoint. */
const isForgeable = (endpoint: FaultEndpoint): boolean =>
  endpoint.startsWith('sessions.') || endpoint === 'refunds.create';

function readFault(body: Body): Fault {
  const mode = readChoice(body, 'mode', fault_modes);
  switch (mode) {
    case 'status':
      return {
        mode,
        status: readWhole(body, 'status', 200, 599),
        body: body['body'],
        processed: readBoolean(body, 'processed'),
      };
    case 'delay':
      return { mode, delay_ms: readWhole(body, 'delay_ms', 0, 3_600_000) };
    case 'amount':
      return { mode, amount_total: readAmount(body, 'amount_total') };
    case 'currency':
      return { mode, currency: readCurrency(body, 'currency') };
    case 'hang_before':
    case 'hang_after':
    case 'reset_before':
    case 'reset_after':
    case 'truncate':
    case 'pending':
      return { mode };
  }
}

/** Reads the body of `POST /_sim/webhooks`: `{url, secret, account?}`. */
export function readWebhookTarget(body: Body): WebhookTarget {
  const url = readText(body, 'url');
  if (!isWebhookUrl(url)) throw invalidMember('url', 'must be an http or https address');
  return { url, secret: readText(body, 'secret'), account: readAccount(body) };
}

export function isWebhookUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
