import { type Clock, later, minutes } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';

/** A mail that was not accepted is tried again after so long, this often. */
const retryAfter_ms = minutes(2);
const tries = 5;

/** Mails that people are owed, until they are accepted. */
export interface MailQueue<Mail> {
  /** Takes one that is due, and puts it off until `next`, so that no other worker takes it meanwhile. */
  claim(now: Date, next: Date): Promise<Mail | null>;
  send(mail: Mail): Promise<void>;
  remove(mail: Mail): Promise<void>;
}

/** Sends one mail that is due: how many that were. Safe beside other workers. */
export async function sendOwed<Mail extends { tries: number }>(
  { clock, log }: { clock: Clock; log: Logger },
  queue: MailQueue<Mail>,
): Promise<number> {
  const now = clock.real();
  const mail = await queue.claim(now, later(now, retryAfter_ms));
  if (mail === null) return 0;
  try {
    await queue.send(mail);
  } catch (error) {
    // The log says what the mail server said, never to whom or what was to be sent.
    log.warn({ err: error, tries: mail.tries }, 'a mail was not accepted');
    if (mail.tries < tries) return 1;
  }
  await queue.remove(mail);
  return 1;
}
