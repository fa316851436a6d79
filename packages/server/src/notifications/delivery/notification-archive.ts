/**
 * The archive of notifications outside the database: JSON lines, one for each attempt, written before anything is sent.
 * After a restore it tells which events merchants may have received.
 */
import { rfc3339 } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import { openSink, type SealSink } from '../../seals/index.ts';
import { type ClaimedDelivery, UnsentError } from '../delivery-attempts/index.ts';

/** One line of the archive. An event has a line for each of its attempts. */
export interface ArchivedNotification {
  sent_at: string;
  event_id: string;
  merchant_no: string;
  order_no: string;
  /** The merchant's key of the order; null for an order without one. */
  idempotency_key: string | null;
  status: string;
  status_version: number;
  /** The trade number of a confirmed payment: `PTK:…` for a payment in PTK. Lines of older releases lack it. */
  provider_trade_no?: string | null;
  attempt: number;
}

/** Takes lines. Resolves when they are kept. */
export interface NotificationArchive {
  keep(line: ArchivedNotification): Promise<void>;
}

/** @param url as PAYDESK_SEAL_SINK: `file:///…`, or an address that takes JSON lines by POST */
export function openArchive(url: string): NotificationArchive {
  return batched(openSink(url));
}

/** Lines that come while others are written share the next write. */
function batched(sink: Pick<SealSink, 'append'>): NotificationArchive {
  let waiting: string[] = [];
  let next: Promise<void> | null = null;
  let running: Promise<void> = Promise.resolve();
  const writeNext = async (): Promise<void> => {
    await running.catch(() => undefined);
    const lines = waiting;
    waiting = [];
    next = null;
    running = sink.append(lines);
    await running;
  };
  return {
    keep(line) {
      waiting.push(JSON.stringify(line));
      next ??= writeNext();
      return next;
    },
  };
}

/** @throws UnsentError if the archive does not take the line: nothing is sent that it does not have */
export async function keepInArchive(
  {
    archive,
    keyOf,
    clock,
  }: {
    archive?: NotificationArchive | null;
    keyOf?: (merchant_id: string, order_no: string) => Promise<string | null>;
    clock: Clock;
  },
  { merchant_id, order_no, event_id, attempt, body }: ClaimedDelivery,
): Promise<void> {
  if (archive === undefined || archive === null) return;
  const { data } = JSON.parse(body) as {
    data: { status: string; status_version: number; provider_trade_no?: string };
  };
  try {
    await archive.keep({
      sent_at: rfc3339(clock.real()),
      ...{ event_id, merchant_no: merchantNo(merchant_id), order_no },
      idempotency_key: (await keyOf?.(merchant_id, order_no)) ?? null,
      ...{ status: data.status, status_version: data.status_version },
      ...{ provider_trade_no: data.provider_trade_no ?? null, attempt },
    });
  } catch (cause) {
    throw new UnsentError('the archive of notifications does not take it', { cause });
  }
}

/**
 * Reads an archive. Skips an incomplete line of a process that died while it wrote: nothing was sent for it.
 *
 * @param url as PAYDESK_NOTIFICATION_ARCHIVE
 */
export async function* readArchive(url: string): AsyncGenerator<ArchivedNotification> {
  for await (const line of openSink(url).read()) {
    const read = parse(line);
    if (read !== null) yield read;
  }
}

function parse(line: string): ArchivedNotification | null {
  try {
    const read = JSON.parse(line) as Partial<ArchivedNotification>;
    return typeof read.event_id === 'string' && typeof read.order_no === 'string'
      ? (read as ArchivedNotification)
      : null;
  } catch {
    return null;
  }
}
