export { checkBooks, verifyBooks } from './verify-books.ts';
export { batchDigest, orderDigest } from './archive-facts.sql.ts';
