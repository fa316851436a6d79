import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ownMerchantsQuery } from '../api/merchants.ts';
import { useLater, useLoaded } from '../shell/load-later.ts';
import { useMerchantNo, useOwnMerchant } from './merchant-no.ts';

const load = () => import('./switcher-list.tsx');

/** The choice of the merchant, which is loaded after the figures. Until then its name stands in the same place. */
export function Switcher() {
  const merchant_no = useMerchantNo();
  const merchant = useOwnMerchant();
  const { data } = useQuery(ownMerchantsQuery);
  const switcher = useLoaded(load, useLater());
  if (data === undefined) return null;
  if (switcher !== null) {
    return <switcher.SwitcherList merchant_no={merchant_no} merchants={data.items} />;
  }
  return (
    <Box className="switcher" w={{ base: 150, xs: 220 }}>
      {merchant?.name}
    </Box>
  );
}
