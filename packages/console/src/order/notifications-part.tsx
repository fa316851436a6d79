/** The notifications of an order. */
import { Accordion, Group, Text } from '@mantine/core';
import type { OrderStory } from '../api/order-detail.ts';
import { type Column, DataTable } from '../components/list/data-table.tsx';
import { Empty } from '../components/page/loaded.tsx';
import { DeliveryStatus } from '../components/values/delivery.tsx';
import { RawJson } from '../components/values/raw-json.tsx';
import { Status, words } from '../components/values/status.tsx';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

type NotificationRecord = OrderStory['notifications'][number];
type Attempt = NotificationRecord['delivery_attempts'][number];

/** The columns of the attempts to deliver one notification. */
export const deliveryColumns: Column<Attempt>[] = [
  { header: t('no'), end: true, cell: ({ attempt }) => attempt },
  { header: t('started'), cell: ({ started_at }) => <Time at={started_at} /> },
  {
    header: t('response'),
    cell: ({ http_status, error }) =>
      http_status === undefined
        ? error === undefined
          ? t('in_progress')
          : words(error)
        : `HTTP ${http_status}`,
  },
  {
    header: t('duration'),
    end: true,
    cell: ({ duration_ms }) => (duration_ms === undefined ? '–' : t('ms_ms', { ms: duration_ms })),
  },
  { header: t('trigger'), cell: ({ trigger }) => (trigger === 'manual' ? t('replay') : t('schedule')) },
];

/** Every notification about an order, with every attempt. */
export function NotificationsPart({ notifications }: { notifications: readonly NotificationRecord[] }) {
  if (notifications.length === 0) {
    return (
      <div className="panel">
        <Empty title={t('no_webhooks_for_this_order')}>{t('the_order_has_no_webhook_address')}</Empty>
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
              <Text size="sm">{t('version_version', { version: record.status_version })}</Text>
              <DeliveryStatus of={record} />
              <Text size="sm" c="dimmed">
                {t('count_attempts', { count: record.attempts })}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <DataTable
              name={t('attempts')}
              columns={deliveryColumns}
              rows={record.delivery_attempts}
              rowKey={({ attempt }) => String(attempt)}
              empty={<Empty title={t('no_attempts_yet')} />}
            />
            <Text fw={600} size="sm" mt="md" mb={6}>
              {t('body')}
            </Text>
            <RawJson value={record.event} name={t('body_2')} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
