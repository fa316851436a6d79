/** The first screen of administrators: how the platform does, what is wrong, and what waits for a decision. */
import { SimpleGrid } from '@mantine/core';
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
import { adminQuery, type Overview } from '../../api/admin.ts';
import { timeZone } from '../../api/time-zone.ts';
import { FigureCharts } from '../../components/figures/figure-charts.tsx';
import { Stat } from '../../components/figures/stat.tsx';
import { Volume } from '../../components/figures/volume.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Time } from '../../components/values/time.tsx';
import { AlarmsPanel } from './alarms-panel.tsx';
import { FirstSteps } from './first-steps.tsx';

const icon = { size: 17, stroke: 1.7 } as const;

export function OverviewScreen() {
  const overview = useQuery({
    ...adminQuery<Overview>('/overview', { time_zone: timeZone }),
    refetchInterval: 30_000,
  });
  return (
    <Page title="Overview" about="What somebody should see to, and how all merchants together do.">
      <Loaded of={overview} lines={10}>
        {(known) => (
          <>
            <FirstSteps />
            <AlarmsPanel alarms={known.alarms} as_of={known.as_of} />
            <Figures of={known} />
            <FigureCharts series={known.series} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ of: { volume, orders, work, verification, as_of } }: { of: Overview }) {
  const { undecided } = work;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Stat
        name="Today"
        value={<Volume of={volume.today} />}
        note={`${orders.today.paid} paid of ${orders.today.created} orders`}
      />
      <Stat
        name="This month"
        value={<Volume of={volume.month} />}
        note={`${orders.month.paid} paid of ${orders.month.created} orders`}
      />
      <WaitingCount
        name="Cases to decide"
        count={undecided.cases}
        icon={<IconClipboardCheck {...icon} />}
        note={
          <AppLink to="/platform/cases" search={{ state: 'open' }}>
            Review and cases
          </AppLink>
        }
      />
      <WaitingCount
        name="Complaints to decide"
        count={undecided.complaints}
        icon={<IconReceiptRefund {...icon} />}
        note={<AppLink to="/platform/complaints">Complaints and refunds</AppLink>}
      />
      <WaitingCount
        name="Withdrawals to decide"
        count={undecided.withdrawals}
        icon={<IconCashBanknote {...icon} />}
        note={<AppLink to="/platform/withdrawals">Withdrawals</AppLink>}
      />
      <WaitingCount
        name="Approvals"
        count={undecided.approvals}
        icon={<IconEyeCheck {...icon} />}
        note={
          <AppLink to="/platform/approvals" search={{ status: 'pending' }}>
            For a second person
          </AppLink>
        }
      />
      <WaitingCount
        name="Scope applications"
        count={undecided.scope_applications}
        icon={<IconKey {...icon} />}
        note={
          <AppLink to="/platform/scope-applications" search={{ status: 'pending' }}>
            Decide on them
          </AppLink>
        }
      />
      <WaitingCount
        name="Given up"
        count={undecided.notifications_failed + undecided.webhooks_failed}
        icon={<IconMailX {...icon} />}
        note={<AppLink to="/platform/dead-letters">Dead letters</AppLink>}
      />
      <BooksStat verification={verification} as_of={as_of} />
    </SimpleGrid>
  );
}

/** A worker checks every hour what is new, and everything every night: after a day without a check, none works. */
const isOverdue = (verification: Overview['verification'], as_of: string): boolean =>
  verification === null || Date.parse(as_of) - Date.parse(verification.verified_at) > 25 * 3_600_000;

function booksWords(verification: Overview['verification'], as_of: string): string {
  if (verification === null) return 'Waiting for the first check';
  if (!verification.ok) return 'Differ';
  return isOverdue(verification, as_of) ? 'Check overdue' : 'Balance';
}

/** The result of the last check of the books, and its age. */
const BooksStat = ({ verification, as_of }: Pick<Overview, 'verification' | 'as_of'>) => (
  <Stat
    name="The books"
    value={booksWords(verification, as_of)}
    tone={verification?.ok === false ? 'alarm' : isOverdue(verification, as_of) ? 'warn' : 'calm'}
    icon={<IconBook2 {...icon} />}
    note={
      <>
        {verification !== null && (
          <>
            Checked <Time at={verification.verified_at} show="ago" />.{' '}
          </>
        )}
        <AppLink to="/platform/ledger" underline="always">
          Ledger
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
