/** The background workers, and what waits for them. */
import type { FailingReceiverAnswer } from '@paydesk/contract';
import { Button, SimpleGrid, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminCall, adminQuery, useAdminList, type Work } from '../../api/admin.ts';
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

type Queue = Work['queues'][number];
type Failing = Static<typeof FailingReceiverAnswer>;

const jobs = [
  ['sweep', 'Expire overdue orders', 'Every minute: orders whose time has run out.'],
  ['deliver', 'Deliver notifications', 'At once, and again as the schedule says.'],
  ['reconcile', 'Ask providers', 'Each second: payments, refunds and disputes under way.'],
  ['release-holds', 'Release held income', 'Every minute: income whose days are over.'],
] as const;

interface Backlog {
  merchant_no: string;
  name: string;
  due: number;
  oldest_due_at: string;
}

const columns: Column<Backlog>[] = [
  {
    header: 'Merchant',
    wide: true,
    cell: ({ merchant_no, name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {name}
      </AppLink>
    ),
  },
  { header: 'Due', end: true, cell: ({ due }) => due },
  { header: 'Waiting since', cell: ({ oldest_due_at }) => <Time at={oldest_due_at} show="ago" /> },
];

export function WorkersScreen() {
  const backlog = useAdminList<Backlog>('/notification-backlog', {}, { refetchInterval: 10_000 });
  return (
    <Page title="Workers and queues" about="What works in the background, and what waits for it.">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {jobs.map(([name, title, about]) => (
          <Job key={name} name={name} title={title} about={about} />
        ))}
      </SimpleGrid>
      <Queues />
      <FailingReceivers />
      <Panel
        title="Notifications that are due"
        about="By merchant, the longest wait first. It fills while receivers are down."
      >
        <DataTable
          name="Notifications that are due"
          columns={columns}
          rows={backlog.rows}
          list={backlog}
          rowKey={({ merchant_no }) => merchant_no}
          empty={<Empty title="Nothing waits">Every notification that was due is on its way.</Empty>}
        />
      </Panel>
    </Page>
  );
}

const queueColumns: Column<Queue>[] = [
  { header: 'Queue', wide: true, cell: ({ queue }) => words(queue) },
  { header: 'Seen to by', cell: ({ job }) => words(job) },
  { header: 'Due', end: true, cell: ({ due }) => due },
  {
    header: 'Waiting since',
    cell: ({ oldest_due_at }) => (oldest_due_at === null ? '–' : <Time at={oldest_due_at} show="ago" />),
  },
];

/** The queues of the workers, and what they have given up. */
function Queues() {
  const work = useQuery({ ...adminQuery<Work>('/work'), refetchInterval: 10_000 });
  return (
    <Panel title="Queues" about="What is due and not done yet. A queue that grows needs more workers.">
      <Loaded of={work}>
        {({ queues, undecided }) => (
          <>
            <DataTable
              name="Queues"
              columns={queueColumns}
              rows={queues}
              rowKey={({ queue }) => queue}
              empty={<Empty title="No queues" />}
            />
            <Text size="sm" c="dimmed" mt="sm">
              Given up: {undecided.notifications_failed} notifications, {undecided.webhooks_failed} webhooks.{' '}
              <AppLink to="/platform/dead-letters" underline="always">
                Dead letters
              </AppLink>
            </Text>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const receiverColumns: Column<Failing>[] = [
  {
    header: 'Merchant',
    wide: true,
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  { header: 'Endpoint', cell: ({ destination }) => <span className="identifier">{destination}</span> },
  { header: 'Failures in a row', end: true, cell: ({ failures }) => failures },
  { header: 'Last answer', cell: (receiver) => answerWords(receiver) ?? '–' },
  { header: 'Fails since', cell: ({ failing_since }) => <Time at={failing_since} /> },
];

/** The merchants' endpoints that failed at least twice in a row; their people were told by mail. */
function FailingReceivers() {
  const failing = useQuery({
    ...adminQuery<{ items: Failing[] }>('/failing-receivers'),
    refetchInterval: 10_000,
  });
  return (
    <Panel
      title="Failing webhook endpoints"
      about="They failed at least twice in a row. The merchant’s owners and developers got a mail."
    >
      <Loaded of={failing} lines={2}>
        {({ items }) => (
          <DataTable
            name="Failing webhook endpoints"
            columns={receiverColumns}
            rows={items}
            rowKey={({ merchant_no, destination, failing_since }) =>
              `${merchant_no} ${destination} ${failing_since}`
            }
            empty={<Empty title="Every endpoint works" />}
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
      notifications.show({ color: 'teal', message: `${title}: ${processed} done.` });
      await queries.invalidateQueries();
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Not run', message: messageOf(error) }),
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
            aria-label={`Run now: ${title}`}
          >
            Run now
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
