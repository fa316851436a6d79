/** Receipts without an attempt, and which sessions of an account are ours. */
export { examineUnmatchedReceipt } from './examine-unmatched-receipt.ts';
export { keepUnmatchedReceipt, keepWebhooksReceipt } from './keep-unmatched-receipt.ts';
export { isOurSession } from './our-session.ts';
