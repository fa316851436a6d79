import { systemIds } from '../base/ids.ts';
import { openKeyRing } from '../base/keys/index.ts';
import { type LiveCache, liveCache } from '../base/caches/live-cache.ts';
import { startTestClock } from '../base/clocks/test-clock.ts';
import { measuredClock } from '../base/clocks/measured-clock.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../base/pg/index.ts';
import { catalogKind, isCatalogOrderNo } from '../catalog/orders/index.ts';
import { createCardProvider } from '../channels/card/index.ts';
import { createChannels } from '../channels/index.ts';
import { type CollectionDeps, collectionKind, hasLostKeys } from '../collection/orders/index.ts';
import { createCurrencies } from '../currencies/index.ts';
import { createFindMerchant } from '../merchants/index.ts';
import { createNotifyUrlVetter } from '../notifications/addresses/index.ts';
import { isClientSecret } from '../oauth/clients/index.ts';
import type { Config } from '../config.ts';
import type { PaymentDeps } from '../payments/engine/index.ts';
import { usualTimings } from './options.ts';

/** Runs `work` with the payment engine, without the rest of the service: for commands. */
export async function withPayments<T>(
  { config, db, log }: { config: Config; db: Database; log: Logger },
  secret_keys: readonly [Buffer, ...Buffer[]],
  work: (payments: PaymentDeps & { cache: LiveCache; collection: CollectionDeps }) => Promise<T>,
): Promise<T> {
  const ids = systemIds();
  const clock = await measuredClock(db);
  const box = await openKeyRing(db, secret_keys, clock.real());
  const cache = await liveCache(db);
  const testClock = config.test_clock ? await startTestClock(db, clock) : null;
  const [collection, catalog] = [collectionKind(ids), catalogKind()];
  const kindOf: PaymentDeps['kindOf'] = (order_no) => (isCatalogOrderNo(order_no) ? catalog : collection);
  const common = { db, clock, ids, log, box, kindOf, channels: createChannels(db, cache) };
  try {
    return await work({
      ...common,
      cache,
      cards: createCardProvider(box, usualTimings.provider_timeout_ms),
      public_url: config.public_url,
      lease_ms: usualTimings.lease_ms,
      wait_ms: usualTimings.wait_ms,
      collection: {
        ...common,
        currencies: createCurrencies(db, cache),
        findMerchant: createFindMerchant(db, cache),
        hasLostKeys: (merchant_id) => hasLostKeys(db, merchant_id),
        vetNotifyUrl: createNotifyUrlVetter(config.notify_allow_cidrs),
        isClientSecret: (merchant_id, text) => isClientSecret(db, box, merchant_id, text, clock.real()),
      },
    });
  } finally {
    await testClock?.stop();
    await cache.stop();
  }
}
