/** The card provider, called through its official package. */
import type { SecretBox } from '../../base/secret-box.ts';
import { cardClients } from './card-client.ts';
import { type CardLosses, cardLosses } from './card-losses.ts';
import { type CardRecords, cardRecords } from './card-records.ts';
import { type CardSessions, cardSessions } from './card-sessions.ts';
import { type CardEvent, verifyCardWebhook } from './card-webhooks.ts';
import type { Channel } from '../index.ts';

/**
 * Every call ends within a time limit, and none throws for a failure of the provider; SecretError is a fault of
 * Paydesk.
 */
export interface CardProvider extends CardLosses, CardRecords, CardSessions {
  /** Throws SecretError if the key of the channel cannot be opened. */
  checkKey(channel: Channel): void;
  /** Checks a webhook, and reads it; throws `invalid_request` where it is none at `now`. */
  verifyWebhook(channel: Channel, body: Buffer, signature: string, now: Date): Promise<CardEvent>;
}

/** Time limit of a call: a stopping process has 10 s for all of them (H-24). */
const usualTimeout_ms = 8_000;

export function createCardProvider(box: SecretBox, timeout_ms = usualTimeout_ms): CardProvider {
  const clients = cardClients(box, timeout_ms);
  return {
    ...cardSessions(clients),
    ...cardLosses(clients),
    ...cardRecords(clients),
    checkKey: clients.checkKey,
    verifyWebhook: (channel, body, signature, now) =>
      verifyCardWebhook(box, channel, { body, signature }, now),
  };
}
