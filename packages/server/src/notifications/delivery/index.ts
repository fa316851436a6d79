/** Delivers due notifications in the background. */
export { type ArchivedNotification, openArchive, readArchive } from './notification-archive.ts';
export type { DeliveryObserver } from './start-deliveries.ts';
export { createDeliverer } from './delivery-loop.ts';
export { type Instant, isDue } from './due.sql.ts';
