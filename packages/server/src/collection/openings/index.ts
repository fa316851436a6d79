/** When buyers opened the checkouts of orders. */
export { createOpeningNotes, type OpeningNotes } from './opening-notes.ts';
