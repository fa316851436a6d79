/** Sealed rows that leave the database for files, and the files. */
export {
  type ArchivedRow,
  ArchivedLines,
  type ArchiveFile,
  archiveFormat,
  archiveLines,
  type FiledOrder,
  readArchive,
  subjectsOf,
} from './archive-file.ts';
export { insertArchivedLines } from './archived-lines.sql.ts';
export { findSealedRows, readRowHashes, settledUntil } from './sealed-rows.ts';
