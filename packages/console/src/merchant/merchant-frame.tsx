import { IconListCheck, IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MenuLink } from '../components/link.tsx';
import { Frame, MenuHeading } from '../shell/frame.tsx';
import { useMerchantNo } from './merchant-no.ts';

const icon = { size: 18, stroke: 1.7 } as const;

/** What stands around the merchant's screens. */
export function MerchantFrame() {
  return <Frame side="Merchant" navigation={<Navigation />} />;
}

function Navigation(): ReactNode {
  const merchant_no = useMerchantNo();
  const params = { merchant_no };
  return (
    <>
      <MenuHeading>Payment and settlement</MenuHeading>
      <MenuLink
        to="/console/merchants/$merchant_no/notification-settings"
        params={params}
        label="Collection status notifications"
        leftSection={<IconWebhook {...icon} />}
      />
      <MenuLink
        to="/console/merchants/$merchant_no/notifications"
        params={params}
        label="Collection notification records"
        leftSection={<IconListCheck {...icon} />}
      />
    </>
  );
}
