/** Disputes and evidence as administrators see them. */
import { merchantNo, platformBook } from '../../base/ids.ts';
import { formatMinor } from '../../base/money.ts';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import {
  type Dispute,
  type Evidence,
  type EvidenceFile,
  openTexts,
  selectEvidence,
  selectFiles,
  takesEvidence,
} from '../../payments/disputes/index.ts';
import type { AdminDeps } from '../request/deps.ts';

export const disputeJson = (of: Dispute) => ({
  dispute_id: of.dispute_id,
  merchant_no: of.merchant_id === platformBook ? null : merchantNo(of.merchant_id),
  order_no: of.order_no,
  case_id: of.case_id,
  payment_no: of.payment_no,
  test_mode: of.test_mode,
  state: of.state,
  stage: of.stage,
  reason: of.reason,
  amount: of.currency_decimals === null ? null : formatMinor(of.amount, of.currency_decimals),
  currency: of.currency,
  due_by: rfc3339OrNull(of.due_by),
  submissions: of.submissions,
  opened_at: rfc3339(of.opened_at),
  seen_at: rfc3339(of.seen_at),
});

export const fileJson = ({ field, content_type, size, uploaded_by, uploaded_at }: EvidenceFile) => ({
  ...{ field, content_type, size, uploaded_by },
  uploaded_at: rfc3339(uploaded_at),
});

/** A dispute with its files and what was sent. */
export async function disputeDetail({ db, payments }: AdminDeps, dispute: Dispute) {
  const [files, evidence] = await Promise.all([selectFiles(db, dispute), selectEvidence(db, dispute)]);
  return {
    ...disputeJson(dispute),
    takes_evidence: takesEvidence(dispute) && evidence.every(({ status }) => status !== 'sending'),
    files: files.map(fileJson),
    evidence: evidence.map((one) => ({ ...evidenceJson(one), texts: openTexts(payments, one) })),
  };
}

const evidenceJson = ({ evidence_id, status, files, asked_by, asked_at, ended_at, detail }: Evidence) => ({
  ...{ evidence_id, status, asked_by, detail },
  files: Object.entries(files).map(([field, { content_type, size }]) => ({ field, content_type, size })),
  asked_at: rfc3339(asked_at),
  ended_at: rfc3339OrNull(ended_at),
});
