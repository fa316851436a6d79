import { Text } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { adminCall, type FailedNotification, type FailedWebhook, useAdminList } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { textOf } from '../../components/dialog/fields.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { merchantFinder } from '../lookups.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

/** The outcome of the last attempt, in words. */
function lastAnswer({
  last_error,
  last_http_status,
}: Pick<FailedNotification, 'last_error' | 'last_http_status'>): string {
  if (last_http_status !== null && (last_error === null || last_error === 'http_error')) {
    return `HTTP ${last_http_status}`;
  }
  return last_error === null ? '–' : words(last_error);
}

const notificationColumns: Column<FailedNotification>[] = [
  {
    header: t('order'),
    wide: true,
    cell: ({ order_no }) => (
      <AppLink
        to="/platform/orders/$order_no"
        params={{ order_no }}
        search={{ tab: 'notifications' }}
        className="identifier"
      >
        {order_no}
      </AppLink>
    ),
  },
  {
    header: t('merchant'),
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  { header: t('endpoint'), cell: ({ destination }) => <span className="identifier">{destination}</span> },
  { header: t('last_response'), cell: lastAnswer },
  { header: t('attempts'), end: true, cell: ({ attempts }) => attempts },
  { header: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
  { header: t('resend'), cell: (row) => <ReplayNotification of={row} /> },
];

const webhookColumns: Column<FailedWebhook>[] = [
  {
    header: t('webhook'),
    wide: true,
    cell: ({ type, provider_event_id }) => (
      <>
        <Text size="sm" className="wrap">
          {type}
        </Text>
        <span className="identifier">{provider_event_id}</span>
      </>
    ),
  },
  {
    header: t('channel'),
    cell: ({ payment_no }) => (
      <AppLink to="/platform/channels/$payment_no" params={{ payment_no }} className="identifier">
        {payment_no}
      </AppLink>
    ),
  },
  { header: t('last_attempt'), cell: ({ outcome }) => <span className="wrap">{outcome ?? '–'}</span> },
  { header: t('attempts_2'), end: true, cell: ({ tries }) => tries },
  { header: t('received'), cell: ({ received_at }) => <Time at={received_at} /> },
  { header: t('failed_for_good'), cell: ({ given_up_at }) => <Time at={given_up_at} show="ago" /> },
  { header: t('process_again'), cell: (row) => <ReplayWebhook of={row} /> },
];

/** Work that the service no longer retries, why it failed, and a button for another attempt. */
export function DeadLettersScreen() {
  const [view] = useView();
  const notifications = useAdminList<FailedNotification>(
    '/failed-notifications',
    pick(view, ['merchant_no']),
  );
  const webhooks = useAdminList<FailedWebhook>('/failed-webhooks');
  return (
    <Page title={t('failed_deliveries')} about={t('deliveries_that_failed_for_good_and')}>
      <Panel
        title={t('webhooks_to_merchants')}
        about={t('failed_for_good_after_ten_attempts')}
        actions={<ReplayAll />}
      >
        <div className="above-table">
          <Filters
            filters={[
              {
                kind: 'found',
                name: 'merchant_no',
                label: t('merchant'),
                finder: merchantFinder,
              },
            ]}
          />
        </div>
        <DataTable
          name={t('failed_webhooks_to_merchants')}
          columns={notificationColumns}
          rows={notifications.rows}
          list={notifications}
          rowKey={({ event_id }) => event_id}
          empty={<Empty title={t('no_failed_webhooks')} />}
        />
      </Panel>
      <Panel title={t('webhooks_from_card_providers')} about={t('each_triggers_a_query_at_the')}>
        <DataTable
          name={t('failed_webhooks_from_card_providers')}
          columns={webhookColumns}
          rows={webhooks.rows}
          list={webhooks}
          rowKey={({ payment_no, provider_event_id }) => `${payment_no} ${provider_event_id}`}
          empty={<Empty title={t('no_failed_webhooks_2')} />}
        />
      </Panel>
    </Page>
  );
}

function ReplayNotification({ of }: { of: FailedNotification }) {
  const { merchant_no, merchant_name, event_id, destination } = of;
  return (
    <PlatformAction
      allows="replay"
      label={t('resend')}
      size="xs"
      icon={<IconReload size={14} />}
      title={t('resend_this_webhook')}
      confirm={t('resend')}
      refresh={['platform']}
      consequences={() => [
        t('the_same_body_is_sent_to', { merchant_name, destination }),
        t('if_it_fails_again_it_is'),
      ]}
      submit={() =>
        adminCall('POST', `/merchants/${part(merchant_no)}/notifications/${part(event_id)}/retry`)
      }
      done={() => t('webhook_is_being_sent')}
    />
  );
}

function ReplayWebhook({ of: { payment_no, provider_event_id } }: { of: FailedWebhook }) {
  return (
    <PlatformAction
      allows="replay"
      label={t('process_again')}
      size="xs"
      icon={<IconReload size={14} />}
      title={t('process_this_webhook_again')}
      confirm={t('process_again')}
      refresh={['platform']}
      consequences={() => [t('the_provider_is_queried_again_and'), t('if_it_fails_again_it_is')]}
      submit={() =>
        adminCall('POST', `/channels/${part(payment_no)}/webhooks/${part(provider_event_id)}/retry`)
      }
      done={() => t('webhook_is_being_processed')}
    />
  );
}

/** One more attempt for everything of a merchant that was given up since a time, in as many calls as needed. */
function ReplayAll() {
  async function replay(merchant_no: string, since: string): Promise<number> {
    let count = 0;
    let cursor: string | undefined;
    do {
      const answer: { requeued: number; next_cursor?: string } = await adminCall(
        'POST',
        `/merchants/${part(merchant_no)}/notifications/retry-failed`,
        { body: { since, ...(cursor === undefined ? {} : { cursor }) } },
      );
      count += answer.requeued;
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    return count;
  }
  return (
    <PlatformAction
      allows="replay"
      label={t('resend_all_of_a_merchant')}
      icon={<IconReload size={16} />}
      title={t('resend_all_failed_webhooks_of_a')}
      confirm={t('resend')}
      refresh={['platform']}
      fields={[
        {
          name: 'merchant_no',
          label: t('merchant'),
          kind: 'choice',
          required: true,
          finder: merchantFinder,
        },
        { name: 'since', label: t('since'), kind: 'time', required: true, about: t('in_your_time_zone') },
      ]}
      consequences={() => [t('every_webhook_that_failed_for_good'), t('webhooks_that_fail_again_are_listed')]}
      submit={(values) =>
        replay(textOf(values, 'merchant_no'), new Date(textOf(values, 'since')).toISOString())
      }
      done={(count) => t('count_webhooks_are_being_sent_again', { count })}
    />
  );
}
