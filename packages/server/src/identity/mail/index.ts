/** Mail to people: a queue, the sending, and notices about their account. */
export {
  type BuyerMail,
  type BuyerMailOutcome,
  claimBuyerMail,
  endBuyerMail,
  insertBuyerMail,
} from './buyer-mail.sql.ts';
export { createBuyerMails, purgeOldBuyerMails, type QueueBuyerMail } from './buyer-mails.ts';
export { claimMail } from './mail-queue.sql.ts';
export { sendQueued } from './mail-queue.ts';
export { type Attachment, type SendDeps, checkMailServer, createMailer } from './mailer.ts';
export { type NoticeDeps, queueNotice, queuePasswordNotice, sendDueNotice } from './notice-mails.ts';
export type { NoticeKind } from './notice.sql.ts';
