/** Notes on orders. */
export { deleteNote, insertNote, type OrderNote, selectNotes } from './order-note.sql.ts';
