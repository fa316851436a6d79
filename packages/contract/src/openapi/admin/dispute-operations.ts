/** The administration’s calls about disputes at the card provider. */
import {
  DisputeAnswer,
  DisputeDetailAnswer,
  DisputeFileAnswer,
  DisputeFileUpload,
  EvidenceRequest,
} from '../../admin/dispute.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const detail = titled('DisputeDetail', DisputeDetailAnswer);

export const disputeOperations: readonly Operation[] = [
  list({
    id: 'listDisputes',
    path: '/disputes',
    summary: 'List disputes by their deadline',
    description:
      'The disputes of one stage, the next deadline first; of those that ended, the last first. Without `stage`, those ' +
      'whose bank waits for evidence.',
    query: [
      query('stage', 'Only those in this stage.', OneOf(['to_answer', 'under_review', 'ended'], 'A stage.')),
    ],
    item: titled('Dispute', DisputeAnswer),
  }),
  read({
    id: 'readDispute',
    path: '/disputes/{dispute_id}',
    summary: 'Read a dispute, with the evidence that was sent',
    answer: detail,
  }),
  change({
    id: 'uploadDisputeFile',
    method: 'post',
    path: '/disputes/{dispute_id}/files',
    summary: 'Upload a file for the evidence about a dispute',
    description:
      'Passes the file on to the provider, who keeps it. It is sent to the bank only along with evidence that names it. ' +
      'A later file with the same `field` takes its place; the same file again is uploaded once.',
    body: titled('DisputeFileUpload', DisputeFileUpload),
    answer: titled('DisputeFile', DisputeFileAnswer),
    statuses: [201],
    errors: ['payment_conflict', 'service_unavailable'],
  }),
  change({
    id: 'sendEvidence',
    method: 'post',
    path: '/disputes/{dispute_id}/evidence',
    summary: 'Send evidence about a dispute to the bank',
    description:
      'Submits the evidence at the provider. This cannot be undone, and usually a bank takes evidence once. If the ' +
      'provider’s answer is unclear, the evidence stays `sending`, and workers repeat it without submitting it twice.',
    body: titled('EvidenceRequest', EvidenceRequest),
    answer: detail,
    statuses: [201],
    errors: ['payment_conflict'],
  }),
];
