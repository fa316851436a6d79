import { rfc3339 } from '../time/clock.ts';
import type { AuditEntry } from './audit.ts';

/** An entry as the administration and the sink of the audit trail see it. */
export const auditJson = (entry: AuditEntry) => ({ ...entry, at: rfc3339(entry.at) });
