/** The lines that a development receiver prints about the notifications that it gets. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Notification, VerifyFailure } from '@paydesk/sdk';

/** Maximum number of orders, and of notifications, in memory; a developer looks at the latest few. */
const maxRemembered = 1_000;

/**
 * Creates a function that describes each verified notification in one line. It remembers earlier notifications, as a
 * receiver must, and notes repeated ones and those that a later status has overtaken.
 */
export function createDeliveryNotes(): (notification: Notification, answered: number) => string {
  const versions = new Map<string, number>();
  const times = new Map<string, number>();

  return ({ id, data }, answered) => {
    const time = (times.get(id) ?? 0) + 1;
    remember(times, id, time);
    const known = versions.get(data.order_no) ?? -1;
    if (data.status_version > known) remember(versions, data.order_no, data.status_version);
    const notes = [
      `version ${data.status_version}`,
      ...(data.event_id === undefined ? [] : [`payment ${data.event_id}`]),
      ...(data.test_mode ? ['test mode'] : []),
      ...(time > 1 ? [`delivery ${time} of the same notification`] : []),
      ...(data.status_version < known ? [`overtaken by version ${known}`] : []),
      ...(answered >= 200 && answered <= 299 ? [] : [`answered ${answered}`]),
    ];
    return (
      `verified ${id}: ${data.order_no} (${oneLine(data.external_reference)}) is ${data.status}, ` +
      `${data.amount} ${data.currency}; ${notes.join(', ')}`
    );
  };
}

/** Makes text of others safe for a terminal: one line without control characters. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ');

function remember(map: Map<string, number>, key: string, value: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest);
}

const advice: Readonly<Record<VerifyFailure, string>> = {
  missing_header: 'a header is missing',
  stale: 'stale: its timestamp is more than 5 minutes from this machine’s clock',
  bad_signature: 'wrong signature: an order’s notifications are signed with the secret it was created with',
  malformed: 'not a status notification',
};

/** Describes in one line why a request was refused, and what the developer should check. */
export function refusalNote(
  { reason, detail }: { reason: VerifyFailure; detail: string },
  headers: IncomingHttpHeaders,
): string {
  const id = headers['x-service-event-id'];
  return `refused ${typeof id === 'string' ? oneLine(id) : 'a request'}: ${advice[reason]} (${detail})`;
}
