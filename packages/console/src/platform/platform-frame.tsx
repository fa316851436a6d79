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
import { Text } from '@mantine/core';
import type { UserRole } from '@paydesk/contract';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.ts';
import { MenuLink } from '../components/page/link.tsx';
import { Frame, MenuHeading } from '../shell/frame.tsx';
import { Forbidden, Waiting } from '../shell/screens.tsx';
import { roleWords } from './people/roles.ts';

/** What the roles may change. The service refuses the rest. */
const roleLimits: Readonly<Record<Exclude<UserRole, 'user' | 'admin'>, string>> = {
  finance: 'You decide about money and cases. Other buttons are hidden.',
  support: 'You decide cases and send again. Other buttons are hidden.',
  auditor: 'You export. Buttons for changes are hidden.',
};

const icon = { size: 18, stroke: 1.7 } as const;

export function PlatformFrame() {
  const { data: person } = useQuery(sessionQuery);
  if (person === undefined) return <Waiting />;
  // The service enforces this as well.
  if (person.role === 'user') return <Forbidden>The platform is for administrators.</Forbidden>;
  return <Frame side="Platform" navigation={<Navigation role={person.role} />} />;
}

function Navigation({ role }: { role: Exclude<UserRole, 'user'> }) {
  return (
    <>
      {role !== 'admin' && (
        <Text size="xs" c="dimmed" px="sm" py={6}>
          {`Your role is ${roleWords[role]}: you see everything. ${roleLimits[role]}`}
        </Text>
      )}
      <MenuLink
        to="/platform"
        activeOptions={{ exact: true }}
        label="Overview"
        leftSection={<IconChartBar {...icon} />}
      />
      <MenuHeading>Money</MenuHeading>
      <MenuLink to="/platform/orders" label="Orders" leftSection={<IconShoppingCart {...icon} />} />
      <MenuLink
        to="/platform/cases"
        label="Review and cases"
        leftSection={<IconClipboardCheck {...icon} />}
      />
      <MenuLink
        to="/platform/complaints"
        label="Complaints and refunds"
        leftSection={<IconReceiptRefund {...icon} />}
      />
      <MenuLink to="/platform/withdrawals" label="Withdrawals" leftSection={<IconCashBanknote {...icon} />} />
      <MenuLink to="/platform/approvals" label="Approvals" leftSection={<IconEyeCheck {...icon} />} />
      <MenuLink to="/platform/ledger" label="Ledger" leftSection={<IconBook2 {...icon} />} />
      <MenuHeading>Who takes part</MenuHeading>
      <MenuLink to="/platform/merchants" label="Merchants" leftSection={<IconBuildingStore {...icon} />} />
      <MenuLink to="/platform/people" label="People" leftSection={<IconUsers {...icon} />} />
      <MenuLink to="/platform/clients" label="Clients" leftSection={<IconPlugConnected {...icon} />} />
      <MenuLink
        to="/platform/scope-applications"
        label="Scope applications"
        leftSection={<IconKey {...icon} />}
      />
      <MenuHeading>Ways to pay</MenuHeading>
      <MenuLink to="/platform/channels" label="Channels" leftSection={<IconCreditCard {...icon} />} />
      <MenuLink
        to="/platform/currencies"
        label="Currencies and rates"
        leftSection={<IconCoins {...icon} />}
      />
      <MenuLink
        to="/platform/fee-simulator"
        label="Fee simulator"
        leftSection={<IconArrowsExchange {...icon} />}
      />
      <MenuHeading>Operation</MenuHeading>
      <MenuLink to="/platform/workers" label="Workers and queues" leftSection={<IconEngine {...icon} />} />
      <MenuLink to="/platform/dead-letters" label="Dead letters" leftSection={<IconMailX {...icon} />} />
      <MenuLink to="/platform/audit-log" label="Audit log" leftSection={<IconHistory {...icon} />} />
      <MenuLink to="/platform/keys" label="Keys" leftSection={<IconLockAccess {...icon} />} />
      <MenuLink to="/platform/settings" label="Settings" leftSection={<IconSettings {...icon} />} />
    </>
  );
}
