export { verifyBooks } from './verify-books.ts';
