/** Closed orders whose events and unused quotes leave for files (docs/operating/archive.md). */
export { selectArchivePlace, selectArchivePlaces } from './batch.sql.ts';
export { type CollectedPart, collectPart } from './collect-part.ts';
export { type Left, takeOut } from './take-out.ts';
