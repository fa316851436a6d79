/** Mail to people: a queue, the sending, and notices about their account. */
export { claimMail } from './mail-queue.sql.ts';
export { sendQueued } from './mail-queue.ts';
export { type SendDeps, createMailer } from './mailer.ts';
export { type NoticeDeps, queuePasswordNotice, sendDueNotice } from './notices.ts';
