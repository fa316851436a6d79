export { selectAttempts as readAttempts, selectQuotes as readQuotes } from './payment.sql.ts';
