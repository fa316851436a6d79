/** The first screen of a merchant: how the business does, and what to do next. */
import { SimpleGrid } from '@mantine/core';
import { IconAlertTriangle, IconBellX, IconClock, IconHourglass, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import type { Home } from '../../api/merchants.ts';
import { timeZone } from '../../api/time-zone.ts';
import { FigureCharts } from '../../components/figures/figure-charts.tsx';
import { Stat } from '../../components/figures/stat.tsx';
import { Volume } from '../../components/figures/volume.tsx';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { useMerchantNo, useOwnMerchant } from '../merchant-no.ts';
import { FailingBanner } from '../notifications/health-panel.tsx';
import { SetUp } from './set-up.tsx';

const icon = { size: 17, stroke: 1.7 } as const;

export function HomeScreen() {
  const merchant_no = useMerchantNo();
  const merchant = useOwnMerchant();
  const home = useQuery({
    queryKey: ['merchant', merchant_no, 'home'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/home', {
          params: { path: { merchant_no }, query: { time_zone: timeZone } },
          signal,
        }),
      ),
    refetchInterval: 60_000,
  });
  return (
    <Page title={merchant?.name ?? 'Home'} about="How your business does today, and what waits for you.">
      <Loaded of={home} lines={8}>
        {(known) => (
          <>
            <FailingBanner receivers={known.failing_receivers} merchant_no={merchant_no} />
            <SetUp steps={known.steps} merchant_no={merchant_no} />
            <Figures home={known} merchant_no={merchant_no} />
            <FigureCharts series={known.series} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ home, merchant_no }: { home: Home; merchant_no: string }) {
  const { wallet, orders } = home;
  const params = { merchant_no };
  const count = (value: number): string => (value === 10_000 ? '10,000+' : value.toLocaleString('en'));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Stat
        name="Today"
        value={<Volume of={home.volume.today} />}
        note={`${orders.today.paid} paid of ${orders.today.created} orders`}
      />
      <Stat
        name="This month"
        value={<Volume of={home.volume.month} />}
        note={`${orders.month.paid} paid of ${orders.month.created} orders`}
      />
      <Stat
        name="Available"
        value={<Ptk minor={wallet.available_ptk} />}
        icon={<IconWallet {...icon} />}
        note={
          <AppLink to="/console/merchants/$merchant_no/wallet" params={params}>
            Wallet
          </AppLink>
        }
      />
      <Stat
        name="Held"
        value={<Ptk minor={wallet.held_ptk} />}
        icon={<IconHourglass {...icon} />}
        note="Income of the last days"
      />
      <Stat
        name="Waiting for buyers"
        value={count(home.pending)}
        icon={<IconClock {...icon} />}
        note={
          <AppLink to="/console/merchants/$merchant_no/orders" params={params} search={{ status: 'pending' }}>
            Open orders
          </AppLink>
        }
      />
      <Stat
        name="In review"
        value={count(home.review)}
        tone={home.review === 0 ? 'calm' : 'warn'}
        icon={<IconAlertTriangle {...icon} />}
        note={
          <AppLink to="/console/merchants/$merchant_no/orders" params={params} search={{ status: 'review' }}>
            Orders in review
          </AppLink>
        }
      />
      <Stat
        name="Notifications that failed"
        value={count(home.failing_notifications)}
        tone={home.failing_notifications === 0 ? 'calm' : 'alarm'}
        icon={<IconBellX {...icon} />}
        note={
          <AppLink
            to="/console/merchants/$merchant_no/notifications"
            params={params}
            search={{ status: 'failed' }}
          >
            Records and replay
          </AppLink>
        }
      />
      <Stat
        name="Owed from losses"
        value={<Ptk minor={wallet.recovery_ptk} />}
        tone={wallet.recovery_ptk === '0' ? 'calm' : 'alarm'}
        icon={<IconAlertTriangle {...icon} />}
        note="Taken from the next income"
      />
    </SimpleGrid>
  );
}
