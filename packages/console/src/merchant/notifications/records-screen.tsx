/**
 * The notifications of this merchant: how each delivery goes, and another attempt for those that were given up
 * (R-282, R-375).
 */
import { IconReload } from '@tabler/icons-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { merchantPath } from '../../api/merchants.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { isOn, textOf } from '../../components/dialog/fields.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { columnsOf, type NotificationRecord } from './columns.tsx';
import { RecordDrawer } from './record-drawer.tsx';

const filters = [
  { kind: 'search', name: 'order_no', label: 'Order', placeholder: 'mp_…' },
  {
    kind: 'choice',
    name: 'status',
    label: 'Delivery',
    choices: [
      ['pending', 'Pending'],
      ['delivered', 'Delivered'],
      ['failed', 'Failed'],
    ],
  },
] as const;

export function NotificationRecordsScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('notifications');
  const [view] = useView();
  const [opened, setOpened] = useState<NotificationRecord | null>(null);
  const query = pick(view, ['status', 'order_no']) as { status?: NotificationRecord['delivery_status'] };
  const list = useList<NotificationRecord>(
    ['merchant', merchant_no, 'notifications', query],
    (page, signal) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/notifications', {
          params: { path: { merchant_no }, query: { ...query, ...page } },
          signal,
        }),
      ),
  );
  return (
    <Page
      title="Collection notification records"
      about="Each message that your server was sent, or should have been. A failed delivery says nothing about the payment."
      actions={
        <>
          <CsvExport path={merchantPath(merchant_no, '/notifications')} query={query} />
          {mayWrite && <ReplayFailed merchant_no={merchant_no} />}
        </>
      }
    >
      <Filters filters={filters} />
      <DataTable
        name="Notifications"
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ event_id }) => event_id}
        onOpen={setOpened}
        empty={
          <Empty title="No notifications">
            They appear when orders that have an address change their status.
          </Empty>
        }
      />
      <RecordDrawer record={opened} merchant_no={merchant_no} onClose={() => setOpened(null)} />
    </Page>
  );
}

/** One more attempt for every notification that was given up since a time, in as many calls as needed. */
function ReplayFailed({ merchant_no }: { merchant_no: string }) {
  async function replay(since: string): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const { requeued, next_cursor } = await answerOf(
        api.POST('/console/v1/merchants/{merchant_no}/notifications/retry-failed', {
          params: { path: { merchant_no } },
          body: { since, ...(cursor === undefined ? {} : { cursor }) },
        }),
      );
      count += requeued;
      cursor = next_cursor;
    } while (cursor !== undefined);
    return count;
  }
  return (
    <ActionButton
      label="Replay all failed"
      icon={<IconReload size={16} />}
      title="Replay all failed notifications"
      confirm="Replay"
      fields={[
        { name: 'since', label: 'Since', kind: 'time', required: true, about: 'In your time zone.' },
        { name: 'sure', label: 'My server is ready to receive them', kind: 'check', required: true },
      ]}
      consequences={() => [
        'Each notification that was given up since then is sent once more, with the same body.',
        'Those that fail again stay failed.',
      ]}
      submit={(values) =>
        isOn(values, 'sure') ? replay(new Date(textOf(values, 'since')).toISOString()) : Promise.resolve(0)
      }
      done={(count) =>
        count === 1 ? 'One notification is sent again.' : `${count} notifications are sent again.`
      }
      refresh={['merchant', merchant_no, 'notifications']}
    />
  );
}
