export { claimDue } from './mail-queue.sql.ts';
export { sendOwed } from './mail-queue.ts';
export { type SendDeps, createMailer } from './mailer.ts';
export { type NoticeDeps, owePasswordNotice, sendDueNotice } from './notices.ts';
