/** Delivers due notifications in the background. */
export { type ArchivedNotification, openArchive, readArchive } from './archive.ts';
export type { DeliveryObserver } from './delivery.ts';
export { createDeliverer } from './deliverer.ts';
export { type Instant, isDue } from './due.sql.ts';
