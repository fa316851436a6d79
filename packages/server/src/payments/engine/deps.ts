/** The dependencies of the payment functions. */
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { CardProvider } from '../../channels/card/index.ts';
import type { Channels } from '../../channels/index.ts';
import type { KindOf } from './order-kind.ts';

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
  /** How long a request to the provider may hold an attempt, in real milliseconds. */
  lease_ms: number;
  /** How long a start waits for a creation by another request, in real milliseconds. */
  wait_ms: number;
}

/** The dependencies for booking losses, which asks no provider. */
export type LossDeps = Pick<PaymentDeps, 'db' | 'clock' | 'ids' | 'log' | 'kindOf'>;
