import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { CardProvider, Channels } from '../../channels/index.ts';
import type { KindOf } from './payable.ts';

/** What the verbs of this module work with. */
export interface PaymentDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  log: Logger;
  box: SecretBox;
  channels: Channels;
  cards: CardProvider;
  kindOf: KindOf;
  /** Origin and path prefix of links. */
  public_url: string;
  /** How long a request to the provider may hold an attempt; real milliseconds. */
  lease_ms: number;
  /** How long a start waits for the creation that another request has begun; real milliseconds. */
  wait_ms: number;
}

/** What losses are booked with: no provider is asked. */
export type LossDeps = Pick<PaymentDeps, 'db' | 'clock' | 'ids' | 'log' | 'kindOf'>;
