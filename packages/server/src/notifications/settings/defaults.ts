/** A merchant's default notification endpoint: orders copy it at creation. */
import type { Tx } from '../../base/pg/index.ts';
import { type Merchant, changeNotifyDefaults } from '../../merchants/index.ts';
import { parseNotifyUrl } from '../addresses/index.ts';
import { newSigningSecret, sealSigningSecret } from './signing-secret.ts';
import { AppError, invalid } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';

/** The endpoint as the merchant sets it. */
export interface Defaults {
  /** Empty where there is none. */
  url: string;
  enabled: boolean;
}

export interface DefaultsDeps {
  box: SecretBox;
  ids: IdSource;
  log: Logger;
}

/** A change of the defaults. A new secret is returned here and never again. */
export interface ChangedDefaults {
  before: Defaults;
  after: Defaults;
  secret: string | null;
}

export const defaultsOf = ({ notify_url, notify_enabled }: Merchant): Defaults => ({
  url: notify_url,
  enabled: notify_enabled,
});

/**
 * Checks an address by the rules of `notify_url`. Call it outside a transaction, because it resolves the
 * name. A stored address can always be disabled, even where it is invalid by now.
 *
 * @throws AppError `invalid_notify_url`; `invalid_request` where an empty address is enabled
 */
export async function checkDefaults(
  rules: { vetNotifyUrl: (url: string) => Promise<void>; allow_cidrs: readonly string[] },
  stored: Defaults,
  { url, enabled }: Defaults,
): Promise<void> {
  if (url === '') {
    if (enabled) throw invalid('url', 'Save an address before you enable notifications.');
    return;
  }
  if (url === stored.url && !enabled) return;
  try {
    await rules.vetNotifyUrl(parseNotifyUrl(url, rules.allow_cidrs));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, { ...error.detail, field: 'url' });
  }
}

/**
 * Stores defaults that are checked. A new address gets a new secret. Existing orders keep their address and
 * secret. Nothing is sent as a test (D-154).
 */
export async function saveDefaults(
  tx: Tx,
  deps: DefaultsDeps,
  merchant_id: string,
  { url, enabled }: Defaults,
): Promise<ChangedDefaults> {
  const fresh = newSigningSecret(deps.ids);
  const row = sealed.merchantNotifySecret.row({ merchant_id });
  const { before, after } = await changeNotifyDefaults(tx, merchant_id, (stored) => {
    if (url === '') return { notify_url: '', notify_enabled: false, notify_secret_box: null };
    const kept = stored.notify_url === url ? stored.notify_secret_box : null;
    return {
      notify_url: url,
      notify_enabled: enabled,
      notify_secret_box: kept ?? sealSigningSecret(deps, fresh, row),
    };
  });
  const isNew = url !== '' && after.notify_secret_box !== before.notify_secret_box;
  return { before: defaultsOf(before), after: defaultsOf(after), secret: isNew ? fresh : null };
}

/**
 * Gives the defaults a new secret, for new orders.
 *
 * @throws AppError `invalid_request` where there is no address
 */
export async function rotateDefaultSecret(
  tx: Tx,
  deps: DefaultsDeps,
  merchant_id: string,
): Promise<{ defaults: Defaults; secret: string }> {
  const secret = newSigningSecret(deps.ids);
  const row = sealed.merchantNotifySecret.row({ merchant_id });
  const { after } = await changeNotifyDefaults(tx, merchant_id, (before) => {
    if (before.notify_url === '') throw invalid('url', 'Save an address first.');
    return { ...before, notify_secret_box: sealSigningSecret(deps, secret, row) };
  });
  return { defaults: defaultsOf(after), secret };
}
