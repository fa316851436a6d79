/** Quotes: what a buyer pays through a channel, and who pays the fee. */
export { type QuoteRow, deleteQuotes, insertQuotes, selectQuotes } from './quote.sql.ts';
export {
  type Invoice,
  type Quote,
  invoiceOf,
  merchantFeeParts,
  quoteFor,
  settlementOf,
  totalOf,
} from './quote.ts';
