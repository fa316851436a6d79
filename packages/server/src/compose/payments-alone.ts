import { systemIds } from '../base/ids.ts';
import { openKeyRing } from '../base/keys/index.ts';
import { type LiveCache, liveCache } from '../base/live/live-cache.ts';
import { startTestClock } from '../base/live/test-clock.ts';
import { measuredClock } from '../base/live/timekeeper.ts';
import type { Logger } from '../base/log.ts';
import type { Database } from '../base/pg/index.ts';
import { catalogKind, isCatalogOrderNo } from '../catalog/orders/index.ts';
import { createCardProvider, createChannels } from '../channels/index.ts';
import { collectionKind } from '../collection/orders/index.ts';
import type { Config } from '../config.ts';
import type { PaymentDeps } from '../payments/engine/index.ts';
import { usualTimings } from './options.ts';

/** Runs `work` with the payment engine, without the rest of the service: for commands. */
export async function withPayments<T>(
  { config, db, log }: { config: Config; db: Database; log: Logger },
  secret_keys: readonly [Buffer, ...Buffer[]],
  work: (payments: PaymentDeps & { cache: LiveCache }) => Promise<T>,
): Promise<T> {
  const ids = systemIds();
  const clock = await measuredClock(db);
  const box = await openKeyRing(db, secret_keys, clock.real());
  const cache = await liveCache(db);
  const testClock = config.test_clock ? await startTestClock(db, clock) : null;
  const collection = collectionKind(ids);
  const catalog = catalogKind();
  try {
    return await work({
      ...{ db, cache, clock, ids, log, box, channels: createChannels(db, cache) },
      cards: createCardProvider(box, usualTimings.provider_timeout_ms),
      kindOf: (order_no) => (isCatalogOrderNo(order_no) ? catalog : collection),
      public_url: config.public_url,
      lease_ms: usualTimings.lease_ms,
      wait_ms: usualTimings.wait_ms,
    });
  } finally {
    await testClock?.stop();
    await cache.stop();
  }
}
