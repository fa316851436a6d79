/** The background workers, and what waits for them. */
import type { FailingExportAnswer, FailingReceiverAnswer } from '@paydesk/contract';
import { Button, SimpleGrid, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminCall, adminQuery, useAdminList, type Work } from '../../api/admin.ts';
import { notice } from '../../components/dialog/notice.ts';
import { messageOf } from '../../api/api-error.ts';
import { part } from '../../api/call.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { answerWords } from '../../components/values/delivery.tsx';
import { words } from '../../components/values/status.tsx';
import type { Static } from 'typebox';
import { Time } from '../../components/values/time.tsx';
import { useMayDo } from '../allowed.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-operation');

type Queue = Work['queues'][number];
type Failing = Static<typeof FailingReceiverAnswer>;
type FailingExport = Static<typeof FailingExportAnswer>;

const jobs = [
  ['sweep', t('expire_overdue_orders'), t('every_minute_orders_that_have_expired')],
  ['deliver', t('deliver_webhooks'), t('at_once_then_on_the_retry')],
  ['reconcile', t('query_providers'), t('every_second_payments_refunds_and_disputes')],
  ['release-holds', t('release_held_income'), t('every_minute_income_whose_hold_period')],
] as const;

interface Backlog {
  merchant_no: string;
  name: string;
  due: number;
  oldest_due_at: string;
}

const columns: Column<Backlog>[] = [
  {
    header: t('merchant'),
    wide: true,
    cell: ({ merchant_no, name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {name}
      </AppLink>
    ),
  },
  { header: t('due'), end: true, cell: ({ due }) => due },
  { header: t('waiting_since'), cell: ({ oldest_due_at }) => <Time at={oldest_due_at} show="ago" /> },
];

export function WorkersScreen() {
  const backlog = useAdminList<Backlog>('/notification-backlog', {}, { refetchInterval: 10_000 });
  return (
    <Page title={t('workers_and_queues')} about={t('background_workers_and_what_is_waiting')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {jobs.map(([name, title, about]) => (
          <Job key={name} name={name} title={title} about={about} />
        ))}
      </SimpleGrid>
      <Queues />
      <FailingReceivers />
      <FailingExports />
      <Panel title={t('webhooks_due')} about={t('by_merchant_longest_wait_first_entries')}>
        <DataTable
          name={t('webhooks_due')}
          columns={columns}
          rows={backlog.rows}
          list={backlog}
          rowKey={({ merchant_no }) => merchant_no}
          empty={<Empty title={t('no_webhooks_waiting')}>{t('all_due_webhooks_are_being_sent')}</Empty>}
        />
      </Panel>
    </Page>
  );
}

const queueColumns: Column<Queue>[] = [
  { header: t('queue'), wide: true, cell: ({ queue }) => words(queue) },
  { header: t('processed_by'), cell: ({ job }) => words(job) },
  { header: t('due'), end: true, cell: ({ due }) => due },
  {
    header: t('waiting_since'),
    cell: ({ oldest_due_at }) => (oldest_due_at === null ? '–' : <Time at={oldest_due_at} show="ago" />),
  },
];

/** The queues of the workers, and what they have given up. */
function Queues() {
  const work = useQuery({ ...adminQuery<Work>('/work'), refetchInterval: 10_000 });
  return (
    <Panel title={t('queues')} about={t('work_that_is_due_and_not')}>
      <Loaded of={work}>
        {({ queues, undecided }) => (
          <>
            <DataTable
              name={t('queues')}
              columns={queueColumns}
              rows={queues}
              rowKey={({ queue }) => queue}
              empty={<Empty title={t('no_queues')} />}
            />
            <Text size="sm" c="dimmed" mt="sm">
              {t.rich('failed_for_good_notifications_failed_to', {
                notifications_failed: undecided.notifications_failed,
                webhooks_failed: undecided.webhooks_failed,
                link: (
                  <AppLink to="/platform/dead-letters" underline="always">
                    {t('failed_deliveries')}
                  </AppLink>
                ),
              })}
            </Text>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const merchantColumn: Column<Pick<Failing, 'merchant_no' | 'merchant_name'>> = {
  header: t('merchant'),
  wide: true,
  cell: ({ merchant_no, merchant_name }) => (
    <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
      {merchant_name}
    </AppLink>
  ),
};
const sinceColumn: Column<Pick<Failing, 'failing_since'>> = {
  header: t('failing_since'),
  cell: ({ failing_since }) => <Time at={failing_since} />,
};

const receiverColumns: Column<Failing>[] = [
  merchantColumn,
  { header: t('endpoint_2'), cell: ({ destination }) => <span className="identifier">{destination}</span> },
  { header: t('failures_in_a_row'), end: true, cell: ({ failures }) => failures },
  { header: t('last_response'), cell: (receiver) => answerWords(receiver) ?? '–' },
  sinceColumn,
];

/** The merchants' endpoints that failed at least twice in a row; their people were told by mail. */
function FailingReceivers() {
  const failing = useQuery({
    ...adminQuery<{ items: Failing[] }>('/failing-receivers'),
    refetchInterval: 10_000,
  });
  return (
    <Panel title={t('failing_webhook_endpoints')} about={t('they_failed_at_least_twice_in')}>
      <Loaded of={failing} lines={2}>
        {({ items }) => (
          <DataTable
            name={t('failing_webhook_endpoints')}
            columns={receiverColumns}
            rows={items}
            rowKey={({ merchant_no, destination, failing_since }) =>
              `${merchant_no} ${destination} ${failing_since}`
            }
            empty={<Empty title={t('no_failing_endpoints')} />}
          />
        )}
      </Loaded>
    </Panel>
  );
}

const exportColumns: Column<FailingExport>[] = [
  merchantColumn,
  { header: t('scheduled_export'), cell: ({ frequency }) => words(frequency) },
  sinceColumn,
];

/** The scheduled exports of merchants that do not arrive; their owners and finance people were told by mail. */
function FailingExports() {
  const failing = useQuery({
    ...adminQuery<{ items: FailingExport[] }>('/failing-exports'),
    refetchInterval: 10_000,
  });
  return (
    <Panel title={t('failing_scheduled_exports')} about={t('statements_that_failed_at_least_twice')}>
      <Loaded of={failing} lines={2}>
        {({ items }) => (
          <DataTable
            name={t('failing_scheduled_exports')}
            columns={exportColumns}
            rows={items}
            rowKey={({ export_id }) => export_id}
            empty={<Empty title={t('no_failing_exports')} />}
          />
        )}
      </Loaded>
    </Panel>
  );
}

function Job({ name, title, about }: { name: string; title: string; about: string }) {
  const queries = useQueryClient();
  const mayRun = useMayDo('administer');
  const run = useMutation({
    mutationFn: () => adminCall<{ processed: number }>('POST', `/jobs/${part(name)}/run`),
    onSuccess: async ({ processed }) => {
      notice({ color: 'teal', message: t('title_processed_done', { title, processed }) });
      await queries.invalidateQueries();
    },
    onError: (error) => notice({ color: 'red', title: t('the_run_failed'), message: messageOf(error) }),
  });
  return (
    <Panel
      title={title}
      actions={
        mayRun && (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={run.isPending}
            onClick={() => run.mutate()}
            aria-label={t('run_now_title', { title })}
          >
            {t('run_now')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </Panel>
  );
}
