import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Channels } from '../../channels/index.ts';
import type { Currencies } from '../../currencies/index.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import type { KindOf } from '../../payments/engine/index.ts';

/** The dependencies of the functions that create, read and expire collection orders. */
export interface CollectionDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  log: Logger;
  box: SecretBox;
  currencies: Currencies;
  channels: Channels;
  findMerchant: FindMerchant;
  /** Whether a restore has lost orders of the merchant whose keys must not be used again; cached. */
  hasLostKeys: (merchant_id: string) => Promise<boolean>;
  kindOf: KindOf;
  /** Refuses a URL whose host resolves to a private address. A failed DNS lookup is not refused (D-133). */
  vetNotifyUrl: (url: string) => Promise<void>;
  /** Whether a text is the secret of one of the merchant's clients (D-139). */
  isClientSecret: (merchant_id: string, text: string) => Promise<boolean>;
}
