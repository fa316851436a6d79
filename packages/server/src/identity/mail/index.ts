export { type Mailer, type SendDeps, createMailer } from './mailer.ts';
export { type NoticeDeps, owePasswordNotice, sendDueNotice } from './notices.ts';
export { claimDue } from './owed-mail.sql.ts';
export { sendOwed } from './owed-mail.ts';
