/** Columns that lists of notifications share. */
import type { components } from '../../api/client.ts';
import { DrawerLink } from '../../components/dialog/side-drawer.tsx';
import type { Column } from '../../components/list/data-table.tsx';
import { answerWords, DeliveryStatus } from '../../components/values/delivery.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('webhooks');

export type NotificationRecord = components['schemas']['NotificationRecord'];

/** The outcome of the last attempt, in words. */
export const outcomeOf = (record: NotificationRecord): string =>
  record.attempts === 0 ? t('not_tried_yet') : (answerWords(record) ?? t('in_progress'));

export const columnsOf = (open: (record: NotificationRecord) => void): Column<NotificationRecord>[] => [
  {
    header: t('order'),
    wide: true,
    cell: (record) => (
      <DrawerLink onClick={() => open(record)}>
        <span className="identifier">{record.order_no}</span>
      </DrawerLink>
    ),
  },
  { header: t('status'), cell: ({ event }) => <Status value={event.data.status} /> },
  { header: t('delivery'), cell: (record) => <DeliveryStatus of={record} /> },
  { header: t('last_response'), cell: outcomeOf },
  { header: t('attempts'), end: true, cell: ({ attempts }) => attempts },
  { header: t('next_attempt'), cell: ({ next_attempt_at }) => <Time at={next_attempt_at} show="ago" /> },
  { header: t('created'), cell: ({ event }) => <Time at={event.created_at} /> },
];
