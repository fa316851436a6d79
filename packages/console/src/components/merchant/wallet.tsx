/** The balances of a merchant's wallet. */
import { SimpleGrid } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCreditCard,
  IconHourglass,
  IconLock,
  IconReceipt,
  IconShieldCheck,
  IconSnowflake,
  IconWallet,
} from '@tabler/icons-react';
import type { MerchantWallet } from '../../api/admin.ts';
import { Stat } from '../figures/stat.tsx';
import { Ptk } from '../values/money.tsx';

const icon = { size: 17, stroke: 1.7 } as const;

/** The parts of a merchant's wallet, with an explanation of each. */
export function WalletTiles({ wallet }: { wallet: MerchantWallet }) {
  const owes = wallet.recovery_ptk !== '0';
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <Stat
        name="Available"
        value={<Ptk minor={wallet.available_ptk} />}
        note="Can be withdrawn, or pay fees"
        icon={<IconWallet {...icon} />}
      />
      <Stat
        name="Held"
        value={<Ptk minor={wallet.held_ptk} />}
        note="Income of the last days"
        icon={<IconHourglass {...icon} />}
      />
      <Stat
        name="Frozen"
        value={<Ptk minor={wallet.frozen_ptk} />}
        note="By complaints that are not decided"
        icon={<IconSnowflake {...icon} />}
        tone={wallet.frozen_ptk === '0' ? 'calm' : 'warn'}
      />
      <Stat
        name="Guarantee"
        value={<Ptk minor={wallet.guarantee_ptk} />}
        note="Covers losses that an order’s own income does not"
        icon={<IconShieldCheck {...icon} />}
      />
      <Stat
        name="Set aside for fees"
        value={<Ptk minor={wallet.fee_reserved_ptk} />}
        note="Payments that are under way"
        icon={<IconReceipt {...icon} />}
      />
      <Stat
        name="Credit drawn"
        value={<Ptk minor={wallet.credit_drawn_ptk} />}
        note={
          <>
            of <Ptk minor={wallet.credit_limit_ptk} />
          </>
        }
        icon={<IconCreditCard {...icon} />}
      />
      <Stat
        name="Being withdrawn"
        value={<Ptk minor={wallet.withdrawal_pending_ptk} />}
        note="Asked for, not yet decided"
        icon={<IconLock {...icon} />}
      />
      <Stat
        name="Owed from losses"
        value={<Ptk minor={wallet.recovery_ptk} />}
        note={owes ? 'Taken from the next income' : 'Nothing'}
        icon={<IconAlertTriangle {...icon} />}
        tone={owes ? 'alarm' : 'calm'}
      />
    </SimpleGrid>
  );
}
