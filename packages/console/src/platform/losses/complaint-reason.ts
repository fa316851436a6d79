/** Why a complaint was opened, as the platform's staff read it. */
import { complaintReasons } from '@paydesk/contract';
import { disputeReason } from '../../order/dispute-outcome.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

/** The reason of a person, or that a partial refund waits for one (D-906); none for a bank's dispute. */
export const complaintReason = (complaint: { source: string; reason: string }): string | undefined =>
  complaint.source === 'provider' && complaint.reason === complaintReasons.partial_refund
    ? t('partial_refund')
    : disputeReason(complaint);
