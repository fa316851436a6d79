export { type OrderSnapshot, newNotificationId, statusEvent } from './event.ts';
export { type EventToStore, eventToStore, eventsToStore } from './outbox.ts';
export { type NextAttempt, nextAttempt } from './schedule.ts';
export { requireReadable, sealSigningSecret } from './signing-secret.ts';
