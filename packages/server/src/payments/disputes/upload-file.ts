/** Passes a file for evidence on to the provider. */
import { createHash } from 'node:crypto';
import type { DisputeFileField } from '@paydesk/contract';
import { AppError, invalid } from '../../base/errors.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { type Dispute, takesEvidence } from './dispute.ts';
import { type EvidenceFile, fileTypeOf, mostBytes } from './evidence.ts';

/**
 * Uploads a file. The provider keeps its content; here it is only passed on (D-343). The same file, sent again for the
 * same member, is uploaded once.
 *
 * @param content base64
 * @returns what to store of it
 * @throws AppError `invalid_request` on `content` if it is not a PDF, JPEG or PNG, or too large (D-345);
 *   `payment_conflict` if the dispute takes no evidence now, or the provider refuses the file; `service_unavailable` if
 *   its answer is unclear
 */
export async function uploadFile(
  deps: PaymentDeps,
  { payment_no, dispute_id, state }: Dispute,
  { field, content, uploaded_by }: { field: DisputeFileField; content: string; uploaded_by: string },
): Promise<EvidenceFile> {
  const bytes = Buffer.from(content, 'base64');
  const type = fileTypeOf(bytes);
  if (type === null) throw invalid('content', 'The file is not a PDF, JPEG or PNG.');
  if (bytes.length > mostBytes)
    throw invalid('content', `The file is larger than ${mostBytes / 1_000_000} MB.`);
  const channel = await deps.channels.find(payment_no);
  if (channel === null || !takesEvidence({ state })) {
    const description = `The dispute takes no evidence: it is ${state}.`;
    throw new AppError('payment_conflict', { field: 'dispute_id', description });
  }
  const { content_type, extension } = type;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const outcome = await deps.cards.uploadEvidence(channel, {
    ...{ bytes, content_type, name: `${field}.${extension}` },
    idempotency_key: `evidence_file_${dispute_id}_${field}_${hash.slice(0, 32)}`,
  });
  switch (outcome.kind) {
    case 'created':
      return {
        ...{ field, file_id: outcome.file_id, content_type, size: bytes.length, uploaded_by },
        uploaded_at: deps.clock.now(),
      };
    case 'refused':
      throw new AppError('payment_conflict', {
        description: `The provider refused the file: ${outcome.reason}.`,
      });
    case 'unclear':
      throw new AppError('service_unavailable', {
        description: 'The provider did not answer clearly. Send the file again; it is uploaded once.',
      });
  }
}
