export { type Act, audited, auditedChange, type Done, listAuditEntries } from '../../base/audit/audit.ts';
