import { AppError, invalid } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { invalidNotifyUrl, parseNotifyUrl } from '../addresses/index.ts';

/** The notification members of a creation request, as JSON gave them; null counts as omitted. */
export interface NotifyParameters {
  notify_enabled?: JsonValue | undefined;
  notify_url?: JsonValue | undefined;
  notify_secret?: JsonValue | undefined;
}

/** What the request asks for; part of the order's normalized parameters (D-027, D-029). */
export type NotifyConfig =
  | { mode: 'unspecified' } // nothing said: the merchant's defaults where they are on, else nothing
  | { mode: 'disabled' } // nothing for this order
  | { mode: 'default' } // the merchant's defaults, which must be on
  | { mode: 'explicit'; url: string; secret: string };

const minSecretBytes = 32;
const maxSecretBytes = 256;
const unfitForSecret = /[\s\p{White_Space}\p{Cc}]/u;

/**
 * Reads what a creation request says of notifications, as the contract's table has it. The order of
 * checks is types, combination, address, secret (D-012); whether defaults exist is live configuration and comes later.
 *
 * @throws AppError `invalid_request`, `invalid_notify_config`, `invalid_notify_url`, `invalid_notify_secret`
 */
export function parseNotifyConfig(
  parameters: NotifyParameters,
  allow_cidrs: readonly string[] = [],
): NotifyConfig {
  const enabled = parameters.notify_enabled ?? null;
  const url = parameters.notify_url ?? null;
  const secret = parameters.notify_secret ?? null;
  if (enabled !== null && typeof enabled !== 'boolean') {
    throw invalid('notify_enabled', 'notify_enabled must be true or false.');
  }
  if (url !== null && typeof url !== 'string') throw invalidNotifyUrl();
  if (secret !== null && typeof secret !== 'string') throw invalidNotifySecret();

  if (enabled === false && (url !== null || secret !== null)) {
    throw invalidNotifyConfig('notify_enabled false cannot be combined with notify_url or notify_secret.');
  }
  // An empty text is a value like any other: present (D-136).
  if (url !== null && secret !== null) {
    return {
      mode: 'explicit',
      url: parseNotifyUrl(url, allow_cidrs),
      secret: parseNotifySecret(secret),
    };
  }
  if (url !== null || secret !== null) {
    throw invalidNotifyConfig('notify_url and notify_secret must be sent together.');
  }
  if (enabled === null) return { mode: 'unspecified' };
  return { mode: enabled ? 'default' : 'disabled' };
}

/**
 * Checks a `notify_secret`: 32 to 256 bytes, no white space, no control characters, not trimmed (R-252, D-138).
 *
 * @throws AppError `invalid_notify_secret`
 */
export function parseNotifySecret(secret: string): string {
  const bytes = Buffer.byteLength(secret, 'utf8');
  if (bytes < minSecretBytes || bytes > maxSecretBytes) throw invalidNotifySecret();
  if (unfitForSecret.test(secret) || !secret.isWellFormed()) throw invalidNotifySecret();
  return secret;
}

/** Where an order's notifications go: fixed at creation, copied onto each of its events. */
export interface NotifyTarget {
  url: string;
  secret_box: Buffer;
}

/**
 * The target in force for a new order.
 *
 * @param defaults the merchant's, or null where they are off
 * @param seal encrypts an explicit secret
 * @returns null where nothing is sent
 * @throws AppError `invalid_notify_config` where defaults are asked for and there are none
 */
export function effectiveTarget(
  config: NotifyConfig,
  defaults: NotifyTarget | null,
  seal: (secret: string) => Buffer,
): NotifyTarget | null {
  switch (config.mode) {
    case 'disabled':
      return null;
    case 'unspecified':
      return defaults;
    case 'explicit':
      return { url: config.url, secret_box: seal(config.secret) };
    case 'default':
      if (defaults === null) {
        throw invalidNotifyConfig(
          'notify_enabled needs notify_url and notify_secret, or enabled defaults of the merchant.',
        );
      }
      return defaults;
  }
}

const invalidNotifySecret = (): AppError => new AppError('invalid_notify_secret', { field: 'notify_secret' });

const invalidNotifyConfig = (description: string): AppError =>
  new AppError('invalid_notify_config', { description });
