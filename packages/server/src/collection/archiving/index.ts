/** Closed orders whose events and unused quotes leave for files (docs/operating/archive.md). */
export { type ArchivePlace, selectArchivePlace, selectArchivePlaces } from './batch.sql.ts';
export { type CollectedPart, collectPart, type PartRequest } from './collect-part.ts';
export { type Filed, type Left, takeOut, type TakeOutDeps } from './take-out.ts';
