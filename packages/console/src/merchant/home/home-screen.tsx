/** The first screen of a merchant: how the business does, and what to do next. */
import { IconAlertTriangle, IconBellX, IconClock, IconHourglass, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import type { Home } from '../../api/merchants.ts';
import { byOwnDays } from '../../texts/time-zone.ts';
import { Stat, Stats } from '../../components/figures/stat.tsx';
import { Volume } from '../../components/figures/volume.tsx';
import type { Preset } from '../../components/list/period.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { ptkText } from '../../money/money.ts';
import { FailingExports } from '../exports/failing-exports.tsx';
import { useMerchantNo, useOwnMerchant } from '../merchant-no.ts';
import { FailingBanner } from '../notifications/health-panel.tsx';
import { dayOf } from './range.ts';
import { SalesPart } from './sales-part.tsx';
import { SetUp } from './set-up.tsx';
import { numberText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('merchant');

const icon = { size: 17, stroke: 1.7 } as const;

export function HomeScreen() {
  const merchant_no = useMerchantNo();
  const merchant = useOwnMerchant();
  const home = useQuery({
    queryKey: ['merchant', merchant_no, 'home'],
    queryFn: ({ signal }) =>
      byOwnDays((time_zone) =>
        answerOf(
          api.GET('/console/v1/merchants/{merchant_no}/home', {
            params: { path: { merchant_no }, query: { time_zone } },
            signal,
          }),
        ),
      ),
    refetchInterval: 60_000,
  });
  return (
    <Page title={merchant?.name ?? t('home')} about={t('your_sales_today_and_what_needs')}>
      <Loaded of={home} lines={8}>
        {(known) => (
          <>
            <FailingBanner receivers={known.failing_receivers} merchant_no={merchant_no} />
            <FailingExports exports={known.failing_exports} merchant_no={merchant_no} />
            <SetUp steps={known.steps} merchant_no={merchant_no} />
            <Figures home={known} merchant_no={merchant_no} />
            {/* Its own for each merchant: while a range is read, it shows the one before. */}
            <SalesPart key={merchant_no} merchant_no={merchant_no} today={dayOf(new Date(known.as_of))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ home, merchant_no }: { home: Home; merchant_no: string }) {
  const { wallet, orders } = home;
  const params = { merchant_no };
  const count = (value: number): string => (value === 10_000 ? `${numberText(value)}+` : numberText(value));
  return (
    <Stats>
      <Stat
        name={t('today')}
        value={<Volume of={home.volume.today} />}
        note={<PaidNote of={orders.today} period="today" merchant_no={merchant_no} />}
      />
      <Stat
        name={t('this_month')}
        value={<Volume of={home.volume.month} />}
        note={<PaidNote of={orders.month} period="this-month" merchant_no={merchant_no} />}
      />
      <Stat
        name={t('available')}
        value={<Ptk minor={wallet.available_ptk} />}
        icon={<IconWallet {...icon} />}
        note={
          <AppLink to="/console/merchants/$merchant_no/wallet" params={params}>
            {t('wallet')}
          </AppLink>
        }
      />
      <Stat
        name={t('held')}
        value={<Ptk minor={wallet.held_ptk} />}
        icon={<IconHourglass {...icon} />}
        note={<HeldNote of_tests={wallet.held_test_ptk} merchant_no={merchant_no} />}
      />
      <Stat
        name={t('awaiting_payment')}
        value={count(home.pending)}
        icon={<IconClock {...icon} />}
        note={
          <AppLink to="/console/merchants/$merchant_no/orders" params={params} search={{ status: 'pending' }}>
            {t('open_orders')}
          </AppLink>
        }
      />
      <Stat
        name={t('in_review')}
        value={count(home.review)}
        tone={home.review === 0 ? 'calm' : 'warn'}
        icon={<IconAlertTriangle {...icon} />}
        note={
          <AppLink to="/console/merchants/$merchant_no/orders" params={params} search={{ status: 'review' }}>
            {t('orders_in_review')}
          </AppLink>
        }
      />
      <Stat
        name={t('failed_webhooks')}
        value={count(home.failing_notifications)}
        tone={home.failing_notifications === 0 ? 'calm' : 'alarm'}
        icon={<IconBellX {...icon} />}
        note={
          <AppLink
            to="/console/merchants/$merchant_no/notifications"
            params={params}
            search={{ status: 'failed' }}
          >
            {t('deliveries_and_replay')}
          </AppLink>
        }
      />
      <Stat
        name={t('owed_from_losses')}
        value={<Ptk minor={wallet.recovery_ptk} />}
        tone={wallet.recovery_ptk === '0' ? 'calm' : 'alarm'}
        icon={<IconAlertTriangle {...icon} />}
        note={t('no_payouts_until_it_is_repaid')}
      />
    </Stats>
  );
}

interface PaidNoteProps {
  of: Home['orders']['today'];
  period: Preset;
  merchant_no: string;
}

/** How many of the created orders are paid, with the way to these orders. */
const PaidNote = ({ of: { paid, created }, period, merchant_no }: PaidNoteProps) => (
  <AppLink
    to="/console/merchants/$merchant_no/orders"
    params={{ merchant_no }}
    search={{ period, mode: 'live', status: 'paid' }}
  >
    {t('paid_of_created_orders_paid', { paid, created })}
  </AppLink>
);

/** How much of the held amount is from tests, with the way to them. */
function HeldNote({ of_tests, merchant_no }: { of_tests: string; merchant_no: string }) {
  if (of_tests === '0') return t('recent_income_on_hold');
  return (
    <AppLink to="/console/merchants/$merchant_no/orders" params={{ merchant_no }} search={{ mode: 'test' }}>
      {t('amount_from_tests', { amount: `${ptkText(BigInt(of_tests))} PTK` })}
    </AppLink>
  );
}
