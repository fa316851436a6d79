/** Decides where the notifications of a new order are sent. */
import { AppError } from '../../base/errors.ts';
import type { Merchant } from '../../merchants/index.ts';
import {
  effectiveTarget,
  type NotifyConfig,
  type NotifyTarget,
  requireReadable,
  sealSigningSecret,
} from '../../notifications/settings/index.ts';
import type { CollectionDeps, CollectionOrder } from '../orders/index.ts';

type OrderNotify = Pick<
  CollectionOrder,
  'notify_mode' | 'notify_url' | 'notify_secret_box' | 'notify_secret_digest'
>;

/**
 * Chooses the notification target of an order: the order's own address and secret, else the merchant's enabled
 * defaults, else none. The target never changes after creation.
 *
 * @param config as the decoder read it: `notifications/settings/notify-config.ts` refuses wrong combinations (R-239,
 *
 * @throws AppError `invalid_notify_config`, `invalid_notify_url`, `invalid_notify_secret`, or
 *   `notification_unavailable` if a secret cannot be sealed or the default secret cannot be opened (R-257, D-140)
 */
export async function chooseNotifyTarget(
  deps: CollectionDeps,
  merchant: Merchant,
  config: NotifyConfig,
): Promise<OrderNotify> {
  if (config.mode === 'explicit') await vetExplicit(deps, merchant, config);
  const target = effectiveTarget(config, defaultsOf(merchant), (secret) => sealSigningSecret(deps, secret));
  if (target !== null && config.mode !== 'explicit') requireReadable(deps, target.secret_box);
  return {
    notify_mode: config.mode,
    notify_url: target?.url ?? '',
    notify_secret_box: target?.secret_box ?? null,
    notify_secret_digest: config.mode === 'explicit' ? deps.box.digest('notify-secret', config.secret) : null,
  };
}

function defaultsOf({ notify_enabled, notify_url, notify_secret_box }: Merchant): NotifyTarget | null {
  return notify_enabled && notify_secret_box !== null
    ? { url: notify_url, secret_box: notify_secret_box }
    : null;
}

/**
 * Checks the address and secret of a request against live data: the name must not resolve to a private address,
 * and the secret must not be a client secret of the merchant (R-253, D-139).
 */
async function vetExplicit(
  deps: CollectionDeps,
  { merchant_id }: Merchant,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  await deps.vetNotifyUrl(url);
  if (await deps.isClientSecret(merchant_id, secret)) {
    throw new AppError('invalid_notify_secret', {
      field: 'notify_secret',
      description: 'notify_secret must not be the secret of an OAuth client.',
    });
  }
}
