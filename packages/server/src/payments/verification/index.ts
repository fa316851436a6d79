export { checkBooks, verifyBooks } from './verify-books.ts';
