/** Decides where the notifications of a new order are sent. */
import { sealed } from '../../base/sealed-columns.ts';
import type { Merchant } from '../../merchants/index.ts';
import {
  type DefaultTarget,
  effectiveTarget,
  type NotifyConfig,
  openSigningSecret,
  refuseClientSecret,
  sealSigningSecret,
} from '../../notifications/settings/index.ts';
import type { CollectionDeps, CollectionOrder } from '../orders/index.ts';

/** The target of a new order, whose secret is not sealed yet: its number is still unknown. */
export interface ChosenTarget {
  mode: NotifyConfig['mode'];
  /** Null where nothing is sent. */
  target: { url: string; secret: string } | null;
}

type OrderNotify = Pick<
  CollectionOrder,
  'notify_mode' | 'notify_url' | 'notify_secret_box' | 'notify_secret_digest'
>;

/**
 * Chooses the notification target of an order: the order's own address and secret, else the merchant's enabled
 * defaults, else none. The target never changes after creation.
 *
 * @param config as the decoder read it: `notifications/settings/notify-parameters.ts` refuses wrong combinations (R-239,
 *
 * @throws AppError `invalid_notify_config`, `invalid_notify_url`, `invalid_notify_secret`, or
 *   `notification_unavailable` if a secret cannot be sealed or the default secret cannot be opened (R-257, D-140)
 */
export async function chooseNotifyTarget(
  deps: CollectionDeps,
  merchant: Merchant,
  config: NotifyConfig,
): Promise<ChosenTarget> {
  if (config.mode === 'explicit') await vetExplicit(deps, merchant, config);
  const row = sealed.merchantNotifySecret.row(merchant);
  const target = effectiveTarget(config, defaultsOf(merchant), (secret_box) =>
    openSigningSecret(deps, secret_box, row),
  );
  return { mode: config.mode, target };
}

/**
 * The target as the order stores it: the secret is sealed for the row of the order. Its mode is stored too, because a
 * repetition may not change it (D-029).
 *
 * @throws AppError `notification_unavailable` if the secret cannot be sealed (D-140)
 */
export function sealTarget(
  deps: CollectionDeps,
  { mode, target }: ChosenTarget,
  order: Pick<CollectionOrder, 'merchant_id' | 'order_no'>,
): OrderNotify {
  const row = sealed.orderNotifySecret.row(order);
  const isExplicit = mode === 'explicit' && target !== null;
  return {
    notify_mode: mode,
    notify_url: target?.url ?? '',
    notify_secret_box: target === null ? null : sealSigningSecret(deps, target.secret, row),
    notify_secret_digest: isExplicit ? deps.box.digest('notify-secret', target.secret) : null,
  };
}

function defaultsOf({ notify_enabled, notify_url, notify_secret_box }: Merchant): DefaultTarget | null {
  return notify_enabled && notify_secret_box !== null
    ? { url: notify_url, secret_box: notify_secret_box }
    : null;
}

/**
 * Checks the address and secret of a request against live data: the name must not resolve to a private address,
 * and the secret must not be the secret of a client (R-253, D-139).
 */
async function vetExplicit(
  deps: CollectionDeps,
  { merchant_id }: Merchant,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  await deps.vetNotifyUrl(url);
  await refuseClientSecret(deps, merchant_id, secret);
}
