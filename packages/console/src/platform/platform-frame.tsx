/** The frame around the administrators' screens. */
import {
  IconArrowsExchange,
  IconBook2,
  IconBuildingStore,
  IconCashBanknote,
  IconChartBar,
  IconClipboardCheck,
  IconCoins,
  IconCreditCard,
  IconEngine,
  IconEyeCheck,
  IconHistory,
  IconKey,
  IconLockAccess,
  IconMailX,
  IconPlugConnected,
  IconReceiptRefund,
  IconSettings,
  IconShoppingCart,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { MenuLink } from '../components/page/link.tsx';
import { Frame, MenuHeading } from '../shell/frame.tsx';
import { Forbidden, Waiting } from '../shell/screens.tsx';
import { PlatformSearch } from './search.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('platform');

const icon = { size: 18, stroke: 1.7 } as const;

export function PlatformFrame() {
  const { data: person } = useQuery(sessionQuery);
  if (person === undefined) return <Waiting />;
  // The service enforces this as well.
  if (person.role === 'user') return <Forbidden>{t('the_platform_console_is_for_platform')}</Forbidden>;
  return <Frame side={t('platform')} head={<PlatformSearch />} navigation={<Navigation />} />;
}

function Navigation() {
  return (
    <>
      <MenuLink
        to="/platform"
        activeOptions={{ exact: true }}
        label={t('overview')}
        leftSection={<IconChartBar {...icon} />}
      />
      <MenuHeading>{t('money')}</MenuHeading>
      <MenuLink to="/platform/orders" label={t('orders')} leftSection={<IconShoppingCart {...icon} />} />
      <MenuLink
        to="/platform/cases"
        label={t('review_and_cases')}
        leftSection={<IconClipboardCheck {...icon} />}
      />
      <MenuLink
        to="/platform/complaints"
        label={t('disputes_and_refunds')}
        leftSection={<IconReceiptRefund {...icon} />}
      />
      <MenuLink
        to="/platform/withdrawals"
        label={t('payouts')}
        leftSection={<IconCashBanknote {...icon} />}
      />
      <MenuLink to="/platform/approvals" label={t('approvals')} leftSection={<IconEyeCheck {...icon} />} />
      <MenuLink to="/platform/ledger" label={t('ledger')} leftSection={<IconBook2 {...icon} />} />
      <MenuHeading>{t('accounts')}</MenuHeading>
      <MenuLink
        to="/platform/merchants"
        label={t('merchants')}
        leftSection={<IconBuildingStore {...icon} />}
      />
      <MenuLink to="/platform/people" label={t('people')} leftSection={<IconUsers {...icon} />} />
      <MenuLink to="/platform/clients" label={t('api_keys')} leftSection={<IconPlugConnected {...icon} />} />
      <MenuLink
        to="/platform/scope-applications"
        label={t('scope_requests')}
        leftSection={<IconKey {...icon} />}
      />
      <MenuHeading>{t('payment_setup')}</MenuHeading>
      <MenuLink to="/platform/channels" label={t('channels')} leftSection={<IconCreditCard {...icon} />} />
      <MenuLink
        to="/platform/currencies"
        label={t('currencies_and_rates')}
        leftSection={<IconCoins {...icon} />}
      />
      <MenuLink
        to="/platform/fee-simulator"
        label={t('fee_simulator')}
        leftSection={<IconArrowsExchange {...icon} />}
      />
      <MenuHeading>{t('operations')}</MenuHeading>
      <MenuLink
        to="/platform/workers"
        label={t('workers_and_queues')}
        leftSection={<IconEngine {...icon} />}
      />
      <MenuLink
        to="/platform/dead-letters"
        label={t('failed_deliveries')}
        leftSection={<IconMailX {...icon} />}
      />
      <MenuLink to="/platform/audit-log" label={t('audit_log')} leftSection={<IconHistory {...icon} />} />
      <MenuLink to="/platform/keys" label={t('admin_keys')} leftSection={<IconLockAccess {...icon} />} />
      <MenuLink to="/platform/settings" label={t('settings')} leftSection={<IconSettings {...icon} />} />
    </>
  );
}
