/** Builds the payment engine with both kinds of orders. */
import { type CatalogOrderDeps, catalogKind, isCatalogOrderNo } from '../catalog/orders/index.ts';
import { createCardProvider } from '../channels/card/index.ts';
import { type CollectionDeps, collectionKind, hasLostKeys } from '../collection/orders/index.ts';
import { createNotifyUrlVetter } from '../notifications/addresses/index.ts';
import { isClientSecret } from '../oauth/clients/index.ts';
import { createBuyerMails, type QueueBuyerMail } from '../identity/mail/index.ts';
import type { PayableKind, PaymentDeps } from '../payments/engine/index.ts';
import type { Timings } from './options.ts';
import type { Shared } from './shared.ts';

/** What payments, collection orders and catalog orders work with. */
export interface Orders {
  payments: PaymentDeps;
  collection: CollectionDeps;
  catalog: CatalogOrderDeps;
}

/** Tells buyers by mail what happens to their orders, in the transaction in which it happens. */
const mailing = (kind: PayableKind, queueMail: QueueBuyerMail): PayableKind => ({
  ...kind,
  markPaid: (order, confirmation, now) => [
    ...kind.markPaid(order, confirmation, now),
    ...queueMail('receipt', order, now),
  ],
  markRefunded: (order, now) => [...kind.markRefunded(order, now), ...queueMail('refund', order, now)],
  markChargedBack: (order, now) => [
    ...kind.markChargedBack(order, now),
    ...queueMail('chargeback', order, now),
  ],
});

/** Joins both kinds of order to the one payment engine. */
export function createOrders(shared: Shared, timings: Timings): Orders {
  const { config, db, clock, ids, log, box, cache, channels, currencies, findMerchant } = shared;
  const queueMail = createBuyerMails({ clock, mail: shared.mailer !== null });
  const collection = mailing(collectionKind(ids), queueMail);
  const catalog = mailing(catalogKind(), queueMail);
  const kindOf: PaymentDeps['kindOf'] = (order_no) => (isCatalogOrderNo(order_no) ? catalog : collection);
  const common = { db, clock, ids, log, box, channels, kindOf };
  return {
    payments: {
      ...common,
      cards: createCardProvider(box, timings.provider_timeout_ms),
      public_url: config.public_url,
      lease_ms: timings.lease_ms,
      wait_ms: timings.wait_ms,
    },
    collection: {
      ...common,
      currencies,
      findMerchant,
      hasLostKeys: cache.keyed((merchant_id: string) => hasLostKeys(db.lookups, merchant_id)),
      vetNotifyUrl: createNotifyUrlVetter(config.notify_allow_cidrs),
      isClientSecret: (merchant_id, text) => isClientSecret(db, box, merchant_id, text, clock.real()),
    },
    catalog: { ...common, currencies, findMerchant, queueMail },
  };
}
