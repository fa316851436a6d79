import type { OrderDetail } from '../api/admin.ts';
import type { Moment, OrderStory } from '../api/order-detail.ts';
import { words } from '../components/values/status.tsx';
import { textsOf } from '../texts/texts.ts';
import { disputeOutcome, disputeReason } from './dispute-outcome.ts';

const t = textsOf('order');

type Entry = OrderDetail['timeline'][number];

type History = Pick<OrderStory, 'order' | 'attempts'> & {
  timeline: readonly Entry[];
  /** Only administrators read the reason. */
  complaints: readonly { complaint_id: string; source?: string; reason?: string }[];
};

/** The events of an order in words, in the order in which the service says that they happened (D-280). */
export const momentsOf = (history: History): Moment[] =>
  history.timeline.map((entry) => {
    const [title, about] = wordsOf(entry, history);
    return {
      title,
      at: entry.at,
      ...(about === undefined ? {} : { about }),
      ...(entry.provider_at === null ? {} : { provider_at: entry.provider_at }),
    };
  });

function wordsOf(entry: Entry, { order, attempts, complaints }: History): [title: string, about?: string] {
  const { kind, status, status_version, subject, outcome, what } = entry;
  const attempt = attempts.find(({ attempt_id }) => attempt_id === subject);
  const seq = attempt?.seq ?? '';
  const complaint = complaints.find(({ complaint_id }) => complaint_id === subject);
  switch (kind) {
    case 'status':
      return status_version === 1
        ? [t('created'), t('reference_reference', { reference: order.external_reference })]
        : [
            words(status ?? ''),
            status_version === null ? undefined : t('status_version_version', { version: status_version }),
          ];
    case 'attempt_started':
      return [t('attempt_seq_started', { seq }), attempt?.provider === 'ptk' ? t('ptk_wallet') : t('card')];
    case 'attempt_paid':
      return [t('attempt_seq_paid', { seq })];
    case 'attempt_closed':
      return [t('attempt_seq_closed', { seq })];
    case 'hold_ended':
      return [t('hold_ended')];
    case 'refund_requested':
      return [t('refund_requested')];
    case 'refund_ended':
      return [outcome === null ? t('refund_ended') : t('refund_status', { status: words(outcome) })];
    case 'complaint_opened':
      return [t('dispute_opened'), complaint && disputeReason(complaint)];
    case 'complaint_decided': {
      if (outcome === null) return [t('dispute_decided')];
      return [t('dispute_status', { status: words(disputeOutcome({ ...complaint, status: outcome })) })];
    }
    case 'archived':
      return [t('rows_archived'), subject ?? undefined];
    default:
      // A newer service may know other events.
      return [what];
  }
}
