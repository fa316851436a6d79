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

/** The outcome of the last attempt, in words. */
export function lastAnswer({
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
    header: 'Order',
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
    header: 'Merchant',
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  { header: 'Receiver', cell: ({ destination }) => <span className="identifier">{destination}</span> },
  { header: 'Last answer', cell: lastAnswer },
  { header: 'Attempts', end: true, cell: ({ attempts }) => attempts },
  { header: 'Written', cell: ({ created_at }) => <Time at={created_at} /> },
  { header: 'Replay', cell: (row) => <ReplayNotification of={row} /> },
];

const webhookColumns: Column<FailedWebhook>[] = [
  {
    header: 'Webhook',
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
    header: 'Channel',
    cell: ({ payment_no }) => (
      <AppLink to="/platform/channels/$payment_no" params={{ payment_no }} className="identifier">
        {payment_no}
      </AppLink>
    ),
  },
  { header: 'Last try', cell: ({ outcome }) => <span className="wrap">{outcome ?? '–'}</span> },
  { header: 'Tries', end: true, cell: ({ tries }) => tries },
  { header: 'Came', cell: ({ received_at }) => <Time at={received_at} /> },
  { header: 'Given up', cell: ({ given_up_at }) => <Time at={given_up_at} show="ago" /> },
  { header: 'Replay', cell: (row) => <ReplayWebhook of={row} /> },
];

/** What the service has given up, why it failed, and a button for another attempt. */
export function DeadLettersScreen() {
  const [view] = useView();
  const notifications = useAdminList<FailedNotification>(
    '/failed-notifications',
    pick(view, ['merchant_no']),
  );
  const webhooks = useAdminList<FailedWebhook>('/failed-webhooks');
  return (
    <Page title="Dead letters" about="What was tried until there was no use in it, and waits for a person.">
      <Panel
        title="Notifications to merchants"
        about="Given up after ten attempts. Merchants see and replay their own as well."
        actions={<ReplayAll />}
      >
        <div className="above-table">
          <Filters
            filters={[
              {
                kind: 'found',
                name: 'merchant_no',
                label: 'Merchant',
                finder: merchantFinder,
              },
            ]}
          />
        </div>
        <DataTable
          name="Notifications that were given up"
          columns={notificationColumns}
          rows={notifications.rows}
          list={notifications}
          rowKey={({ event_id }) => event_id}
          empty={<Empty title="No notification was given up" />}
        />
      </Panel>
      <Panel
        title="Webhooks of card providers"
        about="Each leads to a look-up at the provider; these failed for a day or longer, at least thirty times. Reconciliation finds payments without them; of disputes, and of refunds made at the provider, they may be the only word."
      >
        <DataTable
          name="Webhooks that were given up"
          columns={webhookColumns}
          rows={webhooks.rows}
          list={webhooks}
          rowKey={({ payment_no, provider_event_id }) => `${payment_no} ${provider_event_id}`}
          empty={<Empty title="No webhook was given up" />}
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
      label="Replay"
      size="xs"
      icon={<IconReload size={14} />}
      title="Replay the notification"
      confirm="Replay"
      refresh={['platform']}
      consequences={() => [
        `${merchant_name} is sent the same body once more, at ${destination}.`,
        'If that fails, it stands here again.',
      ]}
      submit={() =>
        adminCall('POST', `/merchants/${part(merchant_no)}/notifications/${part(event_id)}/retry`)
      }
      done={() => 'It is sent again.'}
    />
  );
}

function ReplayWebhook({ of: { payment_no, provider_event_id } }: { of: FailedWebhook }) {
  return (
    <PlatformAction
      allows="replay"
      label="Replay"
      size="xs"
      icon={<IconReload size={14} />}
      title="Follow the webhook once more"
      confirm="Replay"
      refresh={['platform']}
      consequences={() => [
        'The provider is asked once more what it is about, and what it answers counts.',
        'If that fails, it stands here again.',
      ]}
      submit={() =>
        adminCall('POST', `/channels/${part(payment_no)}/webhooks/${part(provider_event_id)}/retry`)
      }
      done={() => 'It is followed again.'}
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
      label="Replay all of a merchant"
      icon={<IconReload size={16} />}
      title="Replay all failed notifications of a merchant"
      confirm="Replay"
      refresh={['platform']}
      fields={[
        {
          name: 'merchant_no',
          label: 'Merchant',
          kind: 'choice',
          required: true,
          finder: merchantFinder,
        },
        { name: 'since', label: 'Since', kind: 'time', required: true, about: 'In your time zone.' },
      ]}
      consequences={() => [
        'Each notification that was given up since then is sent once more, with the same body.',
        'Those that fail again stand here again.',
      ]}
      submit={(values) =>
        replay(textOf(values, 'merchant_no'), new Date(textOf(values, 'since')).toISOString())
      }
      done={(count) =>
        count === 1 ? 'One notification is sent again.' : `${count} notifications are sent again.`
      }
    />
  );
}
