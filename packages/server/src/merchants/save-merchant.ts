/** Creates and changes merchants. */
import type { Tx } from '../base/pg/index.ts';
import { AppError } from '../base/errors.ts';
import { checkMerchant, emptyProfile, type Merchant } from './merchant.ts';
import { setLogoSource } from './logo.sql.ts';
import { insertMerchant, selectMerchantForUpdate, updateMerchantRow } from './merchant.sql.ts';

/** The settings that are optional when a merchant is created or changed. */
export type MerchantSettings = Partial<
  Omit<Merchant, 'merchant_id' | 'created_at' | 'notify_url' | 'notify_enabled' | 'notify_secret_box'>
>;

/** Creates a merchant. By default it is active, has no hold and allows guest purchase (R-376, D-126). */
export async function createMerchant(
  tx: Tx,
  merchant_id: string,
  settings: MerchantSettings & Pick<Merchant, 'name' | 'owner_user_id'>,
  now: Date,
): Promise<Merchant> {
  const merchant = checkMerchant({
    ...emptyProfile,
    status: 'active',
    hold_days: 0,
    guest_purchase_allowed: true,
    credit_limit_ptk: 0n,
    embed_origins: [],
    ...settings,
    merchant_id,
    notify_url: '',
    notify_enabled: false,
    notify_secret_box: null,
    created_at: now,
  });
  await insertMerchant(tx, merchant);
  if (merchant.logo_url !== '') await setLogoSource(tx, merchant_id, merchant.logo_url);
  return merchant;
}

/** Changes a merchant's settings. Existing orders keep their hold days. Throws `not_found`. */
export async function updateMerchant(
  tx: Tx,
  merchant_id: string,
  settings: MerchantSettings,
): Promise<{ before: Merchant; after: Merchant }> {
  const before = await selectMerchantForUpdate(tx, merchant_id);
  if (before === null) throw new AppError('not_found');
  const after = checkMerchant({ ...before, ...settings });
  await updateMerchantRow(tx, after);
  if (after.logo_url !== before.logo_url) await setLogoSource(tx, merchant_id, after.logo_url);
  return { before, after };
}

/** The default address of a merchant's notifications, whether it is enabled, and the sealed secret. */
export type NotifyDefaults = Pick<Merchant, 'notify_url' | 'notify_enabled' | 'notify_secret_box'>;

/**
 * Changes the default notification endpoint of a merchant. The caller announces it to the caches, which the
 * creation of orders reads.
 *
 * @param decide returns the new values for the stored ones, which are locked meanwhile
 */
export async function changeNotifyDefaults(
  tx: Tx,
  merchant_id: string,
  decide: (before: Merchant) => NotifyDefaults,
): Promise<{ before: Merchant; after: Merchant }> {
  const before = await selectMerchantForUpdate(tx, merchant_id);
  if (before === null) throw new AppError('not_found');
  const after = { ...before, ...decide(before) };
  await updateMerchantRow(tx, after);
  return { before, after };
}
