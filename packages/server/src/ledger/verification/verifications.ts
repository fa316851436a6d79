import type { Queryable } from '../../base/pg/index.ts';
import { insertVerification } from './verifications.sql.ts';
import type { Verification } from './verify.ts';

/** Keeps who had the books checked, and how that went, so that operators see when it was last done. */
export const recordVerification = (
  db: Queryable,
  { ok, entries, findings }: Verification,
  by: { verified_at: Date; verified_by: string },
): Promise<void> => insertVerification(db, { ...by, ok, entries, findings: findings.length });
