/** What needs the attention of an administrator. */
import { Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Alarm } from '../../api/admin.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';

interface AlarmText {
  what: string;
  where: ReactNode;
}

const some = (count: number | null, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count ?? 0} ${many}`;

/** Each alarm in words, and the link to the screen that resolves it. */
const texts: Readonly<Record<Alarm['alarm'], (about: string, count: number | null) => AlarmText>> = {
  books_differ: (_, count) => ({
    what: `The books do not balance: ${some(count, 'finding', 'findings')}`,
    where: <AppLink to="/platform/ledger">Check them again</AppLink>,
  }),
  provider_differs: (about, count) => ({
    what:
      count === null
        ? 'The records of a card provider could not be compared with the books'
        : `A card provider and the books differ: ${some(count, 'difference', 'differences')}`,
    where: (
      <AppLink to="/platform/channels/$payment_no" params={{ payment_no: about }}>
        The channel
      </AppLink>
    ),
  }),
  limiter_unreachable: () => ({
    what: 'The rate limiter does not answer: limited calls are refused with 503',
    where: <Text size="sm">Look at its Redis</Text>,
  }),
  clock_off: (about) => ({
    what: `The clock of a machine is more than 2 seconds off: ${about}`,
    where: <Text size="sm">Look at its time service (NTP)</Text>,
  }),
  audit_sink_behind: (_, count) => ({
    what: `The sink of the audit trail does not take ${some(count, 'entry', 'entries')}`,
    where: <Text size="sm">Look at PAYDESK_AUDIT_SINK and the log</Text>,
  }),
  webhooks_failed: (_, count) => ({
    what: `${some(count, 'webhook of a card provider was', 'webhooks of card providers were')} given up`,
    where: <AppLink to="/platform/dead-letters">Dead letters</AppLink>,
  }),
  receivers_failing: (_, count) => ({
    what: some(count, 'webhook endpoint of a merchant fails', 'webhook endpoints of merchants fail'),
    where: <AppLink to="/platform/workers">Failing endpoints</AppLink>,
  }),
  notifications_failed: (_, count) => ({
    what: `${some(count, 'notification of a merchant was', 'notifications of merchants were')} given up`,
    where: <AppLink to="/platform/dead-letters">Dead letters</AppLink>,
  }),
  provider_unclear: (about, count) => ({
    what: `The provider of a channel does not tell the outcome of ${some(count, 'payment', 'payments')}`,
    where: (
      <AppLink to="/platform/channels/$payment_no" params={{ payment_no: about }}>
        The channel
      </AppLink>
    ),
  }),
  queue_late: (about, count) => ({
    what: `Background work is late: ${words(about)}, ${count ?? 0} due`,
    where: <AppLink to="/platform/workers">Workers and queues</AppLink>,
  }),
  rate_missing: (about) => ({
    what: `${about} has no current rate: orders in it are refused`,
    where: <AppLink to="/platform/currencies">Set a rate</AppLink>,
  }),
  orders_in_review: (_, count) => ({
    what: `${some(count, 'order is', 'orders are')} in review, with an unresolved payment`,
    where: (
      <AppLink to="/platform/orders" search={{ status: 'review' }}>
        Orders in review
      </AppLink>
    ),
  }),
  decision_late: (about, count) => ({
    what: `${words(about)} wait for a decision for more than a day: ${count ?? 0}`,
    where: <AppLink to={screenOf[about] ?? '/platform'}>Decide</AppLink>,
  }),
};

const screenOf: Readonly<Record<string, string>> = {
  cases: '/platform/cases',
  complaints: '/platform/complaints',
  withdrawals: '/platform/withdrawals',
  approvals: '/platform/approvals',
  scope_applications: '/platform/scope-applications',
};

/** The alarms, the worst first; a calm text if there are none. */
export function AlarmsPanel({ alarms, as_of }: { alarms: readonly Alarm[]; as_of: string }) {
  if (alarms.length === 0) {
    return (
      <Panel title="All is well">
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon color="teal" variant="light" radius="xl" aria-hidden>
            <IconCircleCheck size={18} />
          </ThemeIcon>
          <Text size="sm" c="dimmed">
            No queue is late, nothing was given up, every currency has its rate. Looked at <Time at={as_of} />
            .
          </Text>
        </Group>
      </Panel>
    );
  }
  return (
    <Panel title="To see to" about="The worst first, with the screen that puts it right.">
      <List listStyleType="none" spacing="sm" aria-label="Alarms">
        {alarms.map((one) => (
          <List.Item key={`${one.alarm} ${one.about ?? ''}`}>
            <OneAlarm of={one} />
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}

function OneAlarm({ of }: { of: Alarm }) {
  const { what, where } = texts[of.alarm](of.about ?? '', of.count);
  const isAlarm = of.severity === 'alarm';
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon color={isAlarm ? 'red' : 'orange'} variant="light" radius="xl" aria-hidden>
        {isAlarm ? <IconAlertTriangle size={18} /> : <IconInfoCircle size={18} />}
      </ThemeIcon>
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600} className="wrap">
          {what}
        </Text>
        <Group gap="xs">
          {of.since !== null && (
            <Text size="sm" c="dimmed">
              Since <Time at={of.since} />
            </Text>
          )}
          <Text size="sm" component="div">
            {where}
          </Text>
        </Group>
      </Stack>
    </Group>
  );
}
