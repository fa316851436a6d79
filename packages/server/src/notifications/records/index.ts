/** Delivery records, and replays of notifications. */
export type { DeliveryFilter } from './record.sql.ts';
export {
  type DeliveryRecord,
  type MerchantRecord,
  listDeliveries,
  listMerchantDeliveries,
} from './records.ts';
export { selectOrderOfEvent } from './event-order.sql.ts';
export { hasNotification } from './replay.sql.ts';
export { replay, replayFailed } from './replay.ts';
