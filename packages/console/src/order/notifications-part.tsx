/** The notifications of an order. */
import { Accordion, Group, Text } from '@mantine/core';
import type { OrderStory } from '../api/order-detail.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { DeliveryStatus } from '../components/values/delivery.tsx';
import { RawJson } from '../components/values/raw-json.tsx';
import { Status, words } from '../components/values/status.tsx';
import { Time } from '../components/values/time.tsx';

type NotificationRecord = OrderStory['notifications'][number];
type Attempt = NotificationRecord['delivery_attempts'][number];

/** The columns of the attempts to deliver one notification. */
export const deliveryColumns: Column<Attempt>[] = [
  { header: 'No.', end: true, cell: ({ attempt }) => attempt },
  { header: 'Begun', cell: ({ started_at }) => <Time at={started_at} /> },
  {
    header: 'Answer',
    cell: ({ http_status, error }) =>
      http_status === undefined ? words(error ?? 'under way') : `HTTP ${http_status}`,
  },
  {
    header: 'Took',
    end: true,
    cell: ({ duration_ms }) => (duration_ms === undefined ? '–' : `${duration_ms} ms`),
  },
  { header: 'By', cell: ({ trigger }) => (trigger === 'manual' ? 'Replay' : 'Schedule') },
];

/** Every notification about an order, with every attempt. */
export function NotificationsPart({ notifications }: { notifications: readonly NotificationRecord[] }) {
  if (notifications.length === 0) {
    return (
      <div className="panel">
        <Empty title="Nobody is told of this order">It has no address for notifications.</Empty>
      </div>
    );
  }
  return (
    <Accordion variant="separated" multiple>
      {notifications.map((record) => (
        <Accordion.Item key={record.event_id} value={record.event_id}>
          <Accordion.Control>
            <Group gap="sm">
              <Status value={record.event.data.status} />
              <Text size="sm">version {record.status_version}</Text>
              <DeliveryStatus of={record} />
              <Text size="sm" c="dimmed">
                {record.attempts === 1 ? 'one attempt' : `${record.attempts} attempts`}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <DataTable
              name="Attempts"
              columns={deliveryColumns}
              rows={record.delivery_attempts}
              rowKey={({ attempt }) => String(attempt)}
              empty={<Empty title="Not tried yet" />}
            />
            <Text fw={600} size="sm" mt="md" mb={6}>
              Body
            </Text>
            <RawJson value={record.event} name="body" />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
