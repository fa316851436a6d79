/** Delivers due notifications in the background. */
export { type ArchivedNotification, openArchive, readArchive } from './archive.ts';
export type { DeliveryObserver } from './delivery.ts';
export { createDeliverer } from './delivery-loop.ts';
export { type Instant, isDue } from './due.sql.ts';
