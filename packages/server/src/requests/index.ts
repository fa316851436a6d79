/** The recent API requests of merchants' clients. */
export { findRequests } from './find-requests.ts';
export { listRequests } from './list-requests.ts';
export { selectFirstSuccess } from './request.sql.ts';
export { purgeOldRequests } from './purge-requests.ts';
export { createRequestLog } from './request-log.ts';
