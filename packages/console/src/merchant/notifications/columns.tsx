/** Columns that lists of notifications share. */
import { Anchor } from '@mantine/core';
import type { components } from '../../api/client.ts';
import type { Column } from '../../components/list/data-table.tsx';
import { answerWords, DeliveryStatus } from '../../components/values/delivery.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';

export type NotificationRecord = components['schemas']['NotificationRecord'];

/** The outcome of the last attempt, in words. */
export const outcomeOf = (record: NotificationRecord): string =>
  record.attempts === 0 ? 'Not tried yet' : (answerWords(record) ?? 'Under way');

export const columnsOf = (open: (record: NotificationRecord) => void): Column<NotificationRecord>[] => [
  {
    header: 'Order',
    wide: true,
    cell: (record) => (
      <Anchor component="button" type="button" ta="start" size="sm" onClick={() => open(record)}>
        <span className="identifier">{record.order_no}</span>
      </Anchor>
    ),
  },
  { header: 'Told of', cell: ({ event }) => <Status value={event.data.status} /> },
  { header: 'Delivery', cell: (record) => <DeliveryStatus of={record} /> },
  { header: 'Last answer', cell: outcomeOf },
  { header: 'Attempts', end: true, cell: ({ attempts }) => attempts },
  { header: 'Next attempt', cell: ({ next_attempt_at }) => <Time at={next_attempt_at} show="ago" /> },
  { header: 'Written', cell: ({ event }) => <Time at={event.created_at} /> },
];
