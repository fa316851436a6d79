export { type OrderSnapshot, newNotificationId, statusEvent } from './event.ts';
export { type EventToStore, eventToStore, eventsToStore } from './outbox.ts';
