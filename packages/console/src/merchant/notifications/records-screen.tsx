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
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('webhooks');

const filters = [
  { kind: 'search', name: 'order_no', label: t('order'), placeholder: verbatim('mp_…') },
  {
    kind: 'choice',
    name: 'status',
    label: t('delivery'),
    choices: [
      ['pending', t('pending')],
      ['delivered', t('delivered')],
      ['failed', t('failed')],
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
      title={t('webhook_deliveries')}
      about={t('collection_notification_records_every_webhoo')}
      actions={
        <>
          <CsvExport path={merchantPath(merchant_no, '/notifications')} query={query} />
          {mayWrite && <ReplayFailed merchant_no={merchant_no} />}
        </>
      }
    >
      <Filters filters={filters} />
      <DataTable
        name={t('webhooks')}
        columns={columnsOf(setOpened)}
        rows={list.rows}
        list={list}
        rowKey={({ event_id }) => event_id}
        onOpen={setOpened}
        empty={<Empty title={t('no_webhooks_yet')}>{t('a_webhook_is_sent_whenever_an')}</Empty>}
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
      label={t('replay_all_failed')}
      icon={<IconReload size={16} />}
      title={t('replay_all_failed_webhooks')}
      confirm={t('replay')}
      fields={[
        { name: 'since', label: t('since'), kind: 'time', required: true, about: t('in_your_time_zone') },
        { name: 'sure', label: t('my_server_is_ready_to_receive'), kind: 'check', required: true },
      ]}
      consequences={() => [
        t('every_webhook_that_failed_for_good'),
        t('webhooks_that_fail_again_stay_failed'),
      ]}
      submit={(values) =>
        isOn(values, 'sure') ? replay(new Date(textOf(values, 'since')).toISOString()) : Promise.resolve(0)
      }
      done={(count) => t('count_webhooks_are_being_sent_again', { count })}
      refresh={['merchant', merchant_no, 'notifications']}
    />
  );
}
