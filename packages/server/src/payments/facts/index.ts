/** Compares the books with the facts that cause their entries. */
export { checkBooks, verifyBooks } from './verify-books.ts';
export { batchDigest, orderDigest } from './archive-facts.sql.ts';
