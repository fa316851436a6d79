/** Notification events, stored in the transaction of the change that they report. */
export {
  type ReportedOrder,
  type ReportedPayment,
  isNotificationId,
  newNotificationId,
  statusEvent,
} from './event.ts';
export { type EventToStore, eventToStore, eventsToStore } from './outbox.ts';
