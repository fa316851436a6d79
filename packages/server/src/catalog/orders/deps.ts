import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Channels } from '../../channels/index.ts';
import type { Currencies } from '../../currencies/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import type { QueueBuyerMail } from '../../identity/mail/index.ts';
import type { KindOf } from '../../payments/engine/index.ts';

/** The dependencies of the functions that create, read and expire catalog orders. */
export interface CatalogOrderDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  log: Logger;
  box: SecretBox;
  currencies: Currencies;
  channels: Channels;
  findMerchant: FindMerchant;
  kindOf: KindOf;
  /** Queues mails to buyers, in the transaction of the change that they report. */
  queueMail: QueueBuyerMail;
}
