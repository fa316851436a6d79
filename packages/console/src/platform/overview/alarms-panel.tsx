/** What needs the attention of an administrator. */
import { Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Alarm } from '../../api/admin.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform');

interface AlarmText {
  what: string;
  where: ReactNode;
}

/** Each alarm in words, and the link to the screen that resolves it. */
const texts: Readonly<Record<Alarm['alarm'], (about: string, count: number | null) => AlarmText>> = {
  books_differ: (_, count) => ({
    what: t('the_books_do_not_balance_count', { count: count ?? 0 }),
    where: <AppLink to="/platform/ledger">{t('check_again')}</AppLink>,
  }),
  provider_differs: (about, count) => ({
    what:
      count === null ? t('the_records_of_a_card_provider') : t('a_card_provider_and_the_books', { count }),
    where: (
      <AppLink to="/platform/channels/$payment_no" params={{ payment_no: about }}>
        {t('view_channel')}
      </AppLink>
    ),
  }),
  limiter_unreachable: () => ({
    what: t('the_rate_limiter_does_not_respond'),
    where: <Text size="sm">{t('check_its_redis_server')}</Text>,
  }),
  clock_off: (about) => ({
    what: t('the_clock_of_a_server_is', { about }),
    where: <Text size="sm">{t('check_its_time_service_ntp')}</Text>,
  }),
  audit_sink_behind: (_, count) => ({
    what: t('the_audit_sink_has_not_accepted', { count: count ?? 0 }),
    where: <Text size="sm">{t('check_paydesk_audit_sink_and_the')}</Text>,
  }),
  webhooks_failed: (_, count) => ({
    what: t('count_webhooks_from_card_providers_were', { count: count ?? 0 }),
    where: <AppLink to="/platform/dead-letters">{t('failed_deliveries')}</AppLink>,
  }),
  receivers_failing: (_, count) => ({
    what: t('count_merchant_webhook_endpoints_are_failing', { count: count ?? 0 }),
    where: <AppLink to="/platform/workers">{t('failing_endpoints')}</AppLink>,
  }),
  exports_failing: (_, count) => ({
    what: t('count_scheduled_exports_are_failing', { count: count ?? 0 }),
    where: <AppLink to="/platform/workers">{t('failing_exports')}</AppLink>,
  }),
  notifications_failed: (_, count) => ({
    what: t('count_webhooks_to_merchants_were_given', { count: count ?? 0 }),
    where: <AppLink to="/platform/dead-letters">{t('failed_deliveries')}</AppLink>,
  }),
  provider_unclear: (about, count) => ({
    what: t('a_payment_provider_does_not_report', { count: count ?? 0 }),
    where: (
      <AppLink to="/platform/channels/$payment_no" params={{ payment_no: about }}>
        {t('view_channel')}
      </AppLink>
    ),
  }),
  queue_late: (about, count) => ({
    what: t('background_job_is_late_job_count', { job: words(about), count: count ?? 0 }),
    where: <AppLink to="/platform/workers">{t('workers_and_queues')}</AppLink>,
  }),
  rate_missing: (about) => ({
    what: t('about_has_no_current_rate_orders', { about }),
    where: <AppLink to="/platform/currencies">{t('set_a_rate')}</AppLink>,
  }),
  orders_in_review: (_, count) => ({
    what: t('count_orders_are_in_review_with', { count: count ?? 0 }),
    where: (
      <AppLink to="/platform/orders" search={{ status: 'review' }}>
        {t('orders_in_review')}
      </AppLink>
    ),
  }),
  decision_late: (about, count) => ({
    what: t('waiting_for_a_decision_for_more', { kind: words(about), count: count ?? 0 }),
    where: <AppLink to={screenOf[about] ?? '/platform'}>{t('decide')}</AppLink>,
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
      <Panel title={t('no_alarms')}>
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon color="teal" variant="light" radius="xl" aria-hidden>
            <IconCircleCheck size={18} />
          </ThemeIcon>
          <Text size="sm" c="dimmed">
            {t.rich('no_queue_is_late_no_delivery', { as_of: <Time at={as_of} /> })}
          </Text>
        </Group>
      </Panel>
    );
  }
  return (
    <Panel title={t('needs_attention')} about={t('most_severe_first_each_with_the')}>
      <List listStyleType="none" spacing="sm" aria-label={t('alarms')}>
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
              {t.rich('since_since', { since: <Time at={of.since} /> })}
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
