/** Disputes at the card provider: their queue, and the evidence that people send. */
export { besideOthers } from './beside-others.ts';
export {
  type QueuePlace,
  selectDisputeById,
  selectDisputePage,
  selectFiles,
  selectOpenDisputes,
  upsertFile,
} from './dispute.sql.ts';
export { type Dispute, disputeStages, takesEvidence } from './dispute.ts';
export { selectEvidence } from './evidence.sql.ts';
export type { Evidence, EvidenceFile } from './evidence.ts';
export { noteDispute } from './note-dispute.ts';
export { pursueEvidence, requestEvidence, sendDueEvidence, openTexts } from './send-evidence.ts';
export { uploadFile } from './upload-file.ts';
