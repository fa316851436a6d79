/** The audit log, and writes that are recorded in it. */
export {
  countAuditEntries,
  selectActs,
  selectAuditEntries,
  selectAuditEntriesById,
  selectLastAct,
  selectMerchantActs,
} from './audit.sql.ts';
export { auditJson } from './audit-json.ts';
export {
  type Act,
  type AuditDeps,
  type AuditEntry,
  type Done,
  actWrites,
  changeAudited,
  logAct,
  recordAct,
  runAudited,
} from './audit.ts';
export { holdOrigins, originNow, runFrom } from './origin.ts';
