/** The whole check of the books: money, facts and seals; what is kept of it, and the worker that makes it. */
export { readBooksOverview, readBooksState } from './books-state.ts';
export { booksMetrics } from './books-metrics.ts';
export { oneAtATime } from './one-at-a-time.ts';
export { verifyAndKeep, type VerificationDeps } from './verify-and-keep.ts';
export { verifyWhenDue } from './verify-when-due.ts';
