/** The first screen of administrators: how the platform does, what is wrong, and what waits for a decision. */
import { Text } from '@mantine/core';
import {
  IconBook2,
  IconCashBanknote,
  IconClipboardCheck,
  IconEyeCheck,
  IconKey,
  IconMailX,
  IconReceiptRefund,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { adminCall, type Overview } from '../../api/admin.ts';
import { sessionQuery } from '../../api/session.ts';
import { byOwnDays } from '../../texts/time-zone.ts';
import { LazyCharts } from '../../components/figures/lazy-charts.tsx';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { Volume } from '../../components/figures/volume.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Time } from '../../components/values/time.tsx';
import { AlarmsPanel } from './alarms-panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { roleNote } from '../role-note.ts';
import { booksState } from './books-state.ts';
import { asOfDaysText } from '../../texts/as-of.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform');

const icon = { size: 17, stroke: 1.7 } as const;

export function OverviewScreen() {
  const overview = useQuery({
    queryKey: ['platform', '/overview', {}],
    queryFn: ({ signal }) =>
      byOwnDays((time_zone) => adminCall<Overview>('GET', '/overview', { query: { time_zone }, signal })),
    refetchInterval: 30_000,
  });
  const { data: person } = useQuery(sessionQuery);
  const note = person === undefined ? null : roleNote(person.role);
  const about = t('what_needs_attention_and_how_all');
  return (
    // Here and not in the menu, which fits windows of 768 px only without it (D-284).
    <Page title={t('overview')} about={note === null ? about : `${about} ${note}`}>
      <Loaded of={overview} lines={10}>
        {(known) => (
          <>
            <FirstSteps />
            <AlarmsPanel alarms={known.alarms} as_of={known.as_of} />
            <Figures of={known} />
            <Text size="sm" c="dimmed">
              {asOfDaysText(known.figures_as_of)}
            </Text>
            <LazyCharts series={known.series} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ of: { volume, orders, work, verification, as_of } }: { of: Overview }) {
  const { undecided } = work;
  return (
    <Stats>
      <Stat
        name={t('today')}
        value={<Volume of={volume.today} />}
        note={t('paid_of_created_orders_paid', { paid: orders.today.paid, created: orders.today.created })}
      />
      <Stat
        name={t('this_month')}
        value={<Volume of={volume.month} />}
        note={t('paid_of_created_orders_paid', { paid: orders.month.paid, created: orders.month.created })}
      />
      <WaitingCount
        name={t('cases_to_decide')}
        count={undecided.cases}
        icon={<IconClipboardCheck {...icon} />}
        note={
          <AppLink to="/platform/cases" search={{ state: 'open' }}>
            {t('review_and_cases')}
          </AppLink>
        }
      />
      <WaitingCount
        name={t('disputes_to_decide')}
        count={undecided.complaints}
        icon={<IconReceiptRefund {...icon} />}
        note={<AppLink to="/platform/complaints">{t('disputes_and_refunds')}</AppLink>}
      />
      <WaitingCount
        name={t('payouts_to_decide')}
        count={undecided.withdrawals}
        icon={<IconCashBanknote {...icon} />}
        note={<AppLink to="/platform/withdrawals">{t('payouts')}</AppLink>}
      />
      <WaitingCount
        name={t('approvals')}
        count={undecided.approvals}
        icon={<IconEyeCheck {...icon} />}
        note={
          <AppLink to="/platform/approvals" search={{ status: 'pending' }}>
            {t('waiting_for_approval')}
          </AppLink>
        }
      />
      <WaitingCount
        name={t('scope_requests')}
        count={undecided.scope_applications}
        icon={<IconKey {...icon} />}
        note={
          <AppLink to="/platform/scope-applications" search={{ status: 'pending' }}>
            {t('review_and_decide')}
          </AppLink>
        }
      />
      <WaitingCount
        name={t('failed_for_good')}
        count={undecided.notifications_failed + undecided.webhooks_failed}
        icon={<IconMailX {...icon} />}
        note={<AppLink to="/platform/dead-letters">{t('failed_deliveries')}</AppLink>}
      />
      <BooksStat verification={verification} as_of={as_of} />
    </Stats>
  );
}

const booksWords = {
  unchecked: t('not_checked_yet'),
  differ: t('do_not_balance'),
  overdue: t('check_overdue'),
  balanced: t('balanced'),
} as const;
const booksTones = { unchecked: 'warn', differ: 'alarm', overdue: 'warn', balanced: 'calm' } as const;

/** The result of the last check of the books, and its age. */
const BooksStat = ({ verification, as_of }: Pick<Overview, 'verification' | 'as_of'>) => (
  <Stat
    name={t('books')}
    value={booksWords[booksState(verification, as_of)]}
    tone={booksTones[booksState(verification, as_of)]}
    icon={<IconBook2 {...icon} />}
    note={
      <>
        {verification !== null &&
          t.rich('checked_verified_at', {
            verified_at: <Time at={verification.verified_at} show="ago" />,
          })}{' '}
        <AppLink to="/platform/ledger" underline="always">
          {t('ledger')}
        </AppLink>
      </>
    }
  />
);

/** A number of things that wait for a decision. */
const WaitingCount = ({
  count,
  ...rest
}: {
  name: string;
  count: number;
  icon: ReactNode;
  note: ReactNode;
}) => <Stat {...rest} value={count} tone={count === 0 ? 'calm' : 'warn'} />;
