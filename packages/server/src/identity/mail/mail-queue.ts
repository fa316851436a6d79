/**
 * Sends queued mail, and retries what the mail server does not accept. Invariant: a mail is removed only after it was
 * accepted, or after its last try.
 */
import { type Clock, later, minutes } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';

const retryAfter_ms = minutes(2);
const maxTries = 5;

/** A queue of mail, whatever its table. */
export interface MailQueue<Mail> {
  /** Takes one due mail and delays it until `next`, so that no other worker takes it meanwhile. */
  claim(now: Date, next: Date): Promise<Mail | null>;
  send(mail: Mail): Promise<void>;
  remove(mail: Mail): Promise<void>;
}

/** Sends one due mail; returns how many it found (0 or 1). Several workers may call it at once. */
export async function sendQueued<Mail extends { tries: number }>(
  { clock, log }: { clock: Clock; log: Logger },
  queue: MailQueue<Mail>,
): Promise<number> {
  const now = clock.real();
  const mail = await queue.claim(now, later(now, retryAfter_ms));
  if (mail === null) return 0;
  try {
    await queue.send(mail);
  } catch (error) {
    // The log has the mail server's answer, never the recipient or the text.
    log.warn({ err: error, tries: mail.tries }, 'the mail server did not accept a mail');
    if (mail.tries < maxTries) return 1;
  }
  await queue.remove(mail);
  return 1;
}
