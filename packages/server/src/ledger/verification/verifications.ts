import type { Queryable } from '../../base/pg/index.ts';
import { insertVerification } from './verifications.sql.ts';
import type { Verification } from './verify.ts';

/** Stores who checked the books, when, and the result, so that operators see the latest check. */
export const recordVerification = (
  db: Queryable,
  { ok, entries, findings }: Verification,
  by: { verified_at: Date; verified_by: string },
): Promise<void> => insertVerification(db, { ...by, ok, entries, findings: findings.length });
