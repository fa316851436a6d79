/** Events whose rows are in the archive: they are written again from their order, byte by byte (D-471). */
import type { Queryable } from '../../base/pg/index.ts';
import { type ReportedOrder, type ReportedPayment, statusEvent } from '../events/index.ts';
import { type ArchivedEvent, selectArchivedEvents } from './archived-event.sql.ts';
import type { DeliveryRow } from './record.sql.ts';

/** What all events of an order have in common; `confirmation` is the order's current one, if it is or was paid. */
export type Invoice = Omit<ReportedOrder, 'payment_no' | 'status' | 'status_version' | 'test_mode'> & {
  merchant_id: string;
};

const confirmed = ['paid', 'refunded', 'chargeback'];

/** The body of an event as it was stored and sent. */
export function bodyOf(
  invoice: Invoice,
  [id, created_at, status, payment_no, test_mode]: ArchivedEvent,
  status_version: number,
): string {
  const confirmation: ReportedPayment | null = confirmed.includes(status) ? invoice.confirmation : null;
  const data = { ...invoice, payment_no, status, status_version, test_mode, confirmation };
  return statusEvent({ id, created_at: new Date(created_at), data });
}

/** The records of an order's archived events, newest version first. Their single attempts are no longer kept (D-193). */
export async function readArchived(db: Queryable, invoice: Invoice): Promise<DeliveryRow[]> {
  const events = (await selectArchivedEvents(db, invoice.merchant_id, invoice.order_no)) ?? [];
  return events
    .map((event, i): DeliveryRow => {
      const [event_id, , , , , attempts, last_http_status] = event;
      return {
        ...{ event_id, order_no: invoice.order_no, status_version: i + 1 },
        ...{ body: bodyOf(invoice, event, i + 1), delivery_status: 'delivered', attempts, last_http_status },
        ...{ next_attempt_at: null, last_error: null, delivery_attempts: [] },
      };
    })
    .reverse();
}
