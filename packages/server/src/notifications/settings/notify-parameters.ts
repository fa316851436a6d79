/**
 * Reads the notification parameters of a creation request, and decides where the events of an order go.
 */
import { AppError, invalid } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { invalidNotifyUrl, parseNotifyUrl } from '../addresses/index.ts';
import { invalidNotifySecret, parseNotifySecret } from './signing-secret.ts';

/** The notification members of a creation request. Null counts as omitted. */
export interface NotifyParameters {
  notify_enabled?: JsonValue | undefined;
  notify_url?: JsonValue | undefined;
  notify_secret?: JsonValue | undefined;
}

/** The requested mode; part of the order's normalized parameters (R-105, D-008, D-027, D-029). */
export type NotifyConfig =
  | { mode: 'unspecified' } // use the merchant's defaults if they are enabled, else send nothing
  | { mode: 'disabled' } // send nothing for this order
  | { mode: 'default' } // use the merchant's defaults, which must be enabled
  | { mode: 'explicit'; url: string; secret: string };

/**
 * Reads the notification parameters by the contract's table. The checks run in this order (D-012): types (R-072,
 * D-137), combination, address, secret. Nothing is trimmed (R-244, D-135). Whether
 * defaults exist is checked later, by `effectiveTarget`.
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
  // An empty text counts as present (D-136).
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

/** The address and secret of an order's notifications. Fixed at creation, and copied to each of its events. */
export interface NotifyTarget {
  url: string;
  secret: string;
}

/** A merchant's defaults, with the secret as it is stored. */
export interface DefaultTarget {
  url: string;
  secret_box: Buffer;
}

/**
 * The target for a new order: none if notifications are off, the order's own, or the enabled defaults
 * which `notify_enabled` true requires.
 *
 * @param defaults the merchant's defaults, or null where they are disabled
 * @param open decrypts the secret of the defaults
 * @returns null where nothing is sent
 * @throws AppError `invalid_notify_config` where defaults are requested and not enabled
 */
export function effectiveTarget(
  config: NotifyConfig,
  defaults: DefaultTarget | null,
  open: (secret_box: Buffer) => string,
): NotifyTarget | null {
  const opened = (): NotifyTarget | null =>
    defaults === null ? null : { url: defaults.url, secret: open(defaults.secret_box) };
  switch (config.mode) {
    case 'disabled':
      return null;
    case 'unspecified':
      return opened();
    case 'explicit':
      return { url: config.url, secret: config.secret };
    case 'default':
      if (defaults === null) {
        throw invalidNotifyConfig(
          'notify_enabled needs notify_url and notify_secret, or enabled defaults of the merchant.',
        );
      }
      return opened();
  }
}

const invalidNotifyConfig = (description: string): AppError =>
  new AppError('invalid_notify_config', { description });
