/** Disputes at the card provider: their queue, the evidence that people send, and what they do to their order. */
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
export { dismissDispute, type SeenDispute, settleDispute } from './settle-dispute.ts';
