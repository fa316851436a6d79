/** The audit log, and writes that are recorded in it. */
export { selectAuditEntries } from './audit.sql.ts';
export {
  type Act,
  type AuditDeps,
  type AuditEntry,
  type Done,
  changeAudited,
  logAct,
  runAudited,
} from './audit.ts';
