/** The drawer of one notification: its body, and every attempt to deliver it. */
import { Stack, Title } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { answerOf, api } from '../../api/client.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { SideDrawer } from '../../components/dialog/side-drawer.tsx';
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
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('webhooks');

interface RecordDrawerProps {
  record: NotificationRecord | null;
  merchant_no: string;
  onClose: () => void;
}

export function RecordDrawer({ record, merchant_no, onClose }: RecordDrawerProps) {
  return (
    <SideDrawer opened={record !== null} onClose={onClose} title={t('webhook')}>
      {record !== null && <Details record={record} merchant_no={merchant_no} onClose={onClose} />}
    </SideDrawer>
  );
}

function Details({ record, merchant_no, onClose }: RecordDrawerProps & { record: NotificationRecord }) {
  const mayWrite = useMayWrite('notifications');
  const { event_id } = record;
  return (
    <Stack gap="lg">
      <Facts
        of={[
          [t('order'), <Identifier key="order" value={record.order_no} name={t('order_number')} />],
          [t('webhook'), <Identifier key="event" value={event_id} name={t('event_id')} />],
          [t('order_status'), <Status key="status" value={record.event.data.status} />],
          [t('delivery'), <DeliveryStatus key="delivery" of={record} />],
          [t('last_response'), outcomeOf(record)],
          [t('next_attempt'), <Time key="next" at={record.next_attempt_at} />],
        ]}
      />
      {record.delivery_status === 'failed' && mayWrite && (
        <div>
          <ActionButton
            label={t('resend')}
            variant="filled"
            icon={<IconReload size={16} />}
            title={t('resend_this_webhook')}
            confirm={t('resend_now')}
            consequences={() => [t('the_same_body_is_sent_once')]}
            submit={async () => {
              const answer = await answerOf(
                api.POST('/console/v1/merchants/{merchant_no}/notifications/{event_id}/retry', {
                  params: { path: { merchant_no, event_id } },
                }),
              );
              onClose();
              return answer;
            }}
            done={() => t('webhook_is_being_sent')}
            refresh={['merchant', merchant_no, 'notifications']}
          />
        </div>
      )}
      <div>
        <Title order={3} size="h5" mb="xs">
          {t('attempts')}
        </Title>
        <DataTable
          name={t('attempts')}
          columns={deliveryColumns}
          rows={record.delivery_attempts}
          rowKey={({ attempt }) => String(attempt)}
          empty={<Empty title={t('no_attempts_yet')} />}
        />
      </div>
      <div>
        <Title order={3} size="h5" mb="xs">
          {t('body')}
        </Title>
        <RawJson value={record.event} name={t('body_2')} />
      </div>
    </Stack>
  );
}
