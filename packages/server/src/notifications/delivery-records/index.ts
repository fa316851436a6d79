/** Delivery records, and replays of notifications. */
export {
  type ArchivedEvent,
  deleteEvents,
  insertArchivedOrders,
  isArchived,
  lockEventsOf,
  selectEventsOf,
  type StoredEvent,
} from './archived-event.sql.ts';
export { bodyOf } from './archived-events.ts';
export type { DeliveryFilter } from './record.sql.ts';
export {
  type DeliveryRecord,
  type MerchantRecord,
  listAllDeliveries,
  listArchivedDeliveries,
  listMerchantDeliveries,
} from './records.ts';
export { selectOrderOfEvent } from './event-order.sql.ts';
export { hasNotification } from './replay.sql.ts';
export { replay } from './replay.ts';
export { replayAudited, replayFailedAudited } from './replay-audited.ts';
