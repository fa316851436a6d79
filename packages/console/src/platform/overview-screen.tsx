import { SimpleGrid } from '@mantine/core';
import { IconBell, IconCashBanknote, IconClipboardCheck, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type PaymentCase, type ScopeApplication, type Withdrawal } from '../api/admin.ts';
import type { ListPage } from '../api/list.ts';
import { AppLink } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { Stat } from '../components/stat.tsx';

const icon = { size: 17, stroke: 1.7 } as const;

/** How many, as far as one page tells. */
const countOf = (page: ListPage<unknown> | undefined): string =>
  page === undefined ? '–' : `${page.items.length}${page.next_cursor === undefined ? '' : '+'}`;

/** What waits for an administrator. */
export function OverviewScreen() {
  const cases = useQuery(adminQuery<ListPage<PaymentCase>>('/cases', { state: 'open', limit: 100 }));
  const applications = useQuery(
    adminQuery<ListPage<ScopeApplication>>('/scope-applications', { status: 'pending', limit: 100 }),
  );
  const withdrawals = useQuery(adminQuery<ListPage<Withdrawal>>('/withdrawals', { limit: 100 }));
  const backlog = useQuery(adminQuery<ListPage<{ due: number }>>('/notification-backlog', { limit: 100 }));
  const pending = withdrawals.data?.items.filter(({ status }) => status === 'pending').length;
  return (
    <Page title="Overview" about="What waits for a person, and how the platform does.">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Stat
          name="Cases to decide"
          loading={cases.isPending}
          value={countOf(cases.data)}
          tone={cases.data?.items.length === 0 ? 'calm' : 'alarm'}
          icon={<IconClipboardCheck {...icon} />}
          note={
            <AppLink to="/platform/cases" search={{ state: 'open' }}>
              Review and cases
            </AppLink>
          }
        />
        <Stat
          name="Withdrawals to decide"
          loading={withdrawals.isPending}
          value={pending ?? '–'}
          tone={pending === 0 ? 'calm' : 'warn'}
          icon={<IconCashBanknote {...icon} />}
          note={<AppLink to="/platform/withdrawals">Withdrawals</AppLink>}
        />
        <Stat
          name="Scope applications"
          loading={applications.isPending}
          value={countOf(applications.data)}
          tone={applications.data?.items.length === 0 ? 'calm' : 'warn'}
          icon={<IconKey {...icon} />}
          note={
            <AppLink to="/platform/scope-applications" search={{ status: 'pending' }}>
              Decide on them
            </AppLink>
          }
        />
        <Stat
          name="Notifications due"
          loading={backlog.isPending}
          value={backlog.data?.items.reduce((sum, { due }) => sum + due, 0) ?? '–'}
          icon={<IconBell {...icon} />}
          note={<AppLink to="/platform/workers">Workers and queues</AppLink>}
        />
      </SimpleGrid>
    </Page>
  );
}
