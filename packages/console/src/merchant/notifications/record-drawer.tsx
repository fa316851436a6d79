/** The drawer of one notification: its body, and every attempt to deliver it. */
import { Drawer, Stack, Text, Title } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { DeliveryStatus } from '../../components/values/delivery.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { deliveryColumns } from '../../order/notifications-part.tsx';
import { useMayWrite } from '../merchant-no.ts';
import { type NotificationRecord, outcomeOf } from './columns.tsx';

interface RecordDrawerProps {
  record: NotificationRecord | null;
  merchant_no: string;
  onClose: () => void;
}

export function RecordDrawer({ record, merchant_no, onClose }: RecordDrawerProps) {
  return (
    <Drawer
      opened={record !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={<Text fw={650}>Notification</Text>}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {record !== null && <Details record={record} merchant_no={merchant_no} onClose={onClose} />}
    </Drawer>
  );
}

function Details({ record, merchant_no, onClose }: RecordDrawerProps & { record: NotificationRecord }) {
  const mayWrite = useMayWrite('notifications');
  const { event_id } = record;
  return (
    <Stack gap="lg">
      <Facts
        of={[
          ['Order', <Identifier key="order" value={record.order_no} name="order number" />],
          ['Notification', <Identifier key="event" value={event_id} name="notification number" />],
          ['Tells of', <Status key="status" value={record.event.data.status} />],
          ['Delivery', <DeliveryStatus key="delivery" of={record} />],
          ['Last answer', outcomeOf(record)],
          ['Next attempt', <Time key="next" at={record.next_attempt_at} />],
        ]}
      />
      {record.delivery_status === 'failed' && mayWrite && (
        <div>
          <ActionButton
            label="Send it again"
            variant="filled"
            icon={<IconReload size={16} />}
            title="Send this notification again"
            confirm="Send"
            consequences={() => ['It is sent once more: the same body, to the same address.']}
            submit={async () => {
              const answer = await answerOf(
                api.POST('/console/v1/merchants/{merchant_no}/notifications/{event_id}/retry', {
                  params: { path: { merchant_no, event_id } },
                }),
              );
              onClose();
              return answer;
            }}
            done={() => 'It is on its way.'}
            refresh={['merchant', merchant_no, 'notifications']}
          />
        </div>
      )}
      <div>
        <Title order={3} size="h5" mb="xs">
          Attempts
        </Title>
        <DataTable
          name="Attempts"
          columns={deliveryColumns}
          rows={record.delivery_attempts}
          rowKey={({ attempt }) => String(attempt)}
          empty={<Empty title="None yet" />}
        />
      </div>
      <div>
        <Title order={3} size="h5" mb="xs">
          Body
        </Title>
        <RawJson value={record.event} name="body" />
      </div>
    </Stack>
  );
}
