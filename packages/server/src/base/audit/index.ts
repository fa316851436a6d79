export { selectAuditEntries } from './audit.sql.ts';
export { type Act, type AuditDeps, type AuditEntry, audited, auditedChange } from './audit.ts';
