/** The balances of a merchant's wallet. */
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
import { Stat, Stats } from '../figures/stat.tsx';
import { Facts } from '../values/facts.tsx';
import { Ptk } from '../values/money.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('business');

const icon = { size: 17, stroke: 1.7 } as const;

/** The parts of a merchant's wallet, with an explanation of each. */
export function WalletTiles({ wallet }: { wallet: MerchantWallet }) {
  const owes = wallet.recovery_ptk !== '0';
  return (
    <Stats>
      <Stat
        name={t('available')}
        value={<Ptk minor={wallet.available_ptk} />}
        note={t('can_be_paid_out_or_used')}
        icon={<IconWallet {...icon} />}
      />
      <Stat
        name={t('held')}
        value={<Ptk minor={wallet.held_ptk} />}
        note={t('recent_income_on_hold')}
        icon={<IconHourglass {...icon} />}
      />
      <Stat
        name={t('frozen')}
        value={<Ptk minor={wallet.frozen_ptk} />}
        note={t('still_on_hold_when_a_dispute_was')}
        icon={<IconSnowflake {...icon} />}
        tone={wallet.frozen_ptk === '0' ? 'calm' : 'warn'}
      />
      <Stat
        name={t('guarantee')}
        value={<Ptk minor={wallet.guarantee_ptk} />}
        note={t('covers_losses_beyond_an_orders_own')}
        icon={<IconShieldCheck {...icon} />}
      />
      <Stat
        name={t('reserved_for_fees')}
        value={<Ptk minor={wallet.fee_reserved_ptk} />}
        note={t('payments_in_progress')}
        icon={<IconReceipt {...icon} />}
      />
      <Stat
        name={t('credit_drawn')}
        value={<Ptk minor={wallet.credit_drawn_ptk} />}
        note={t.rich('of_credit_limit_ptk', { credit_limit_ptk: <Ptk minor={wallet.credit_limit_ptk} /> })}
        icon={<IconCreditCard {...icon} />}
      />
      <Stat
        name={t('payouts_in_progress')}
        value={<Ptk minor={wallet.withdrawal_pending_ptk} />}
        note={t('requested_not_yet_decided')}
        icon={<IconLock {...icon} />}
      />
      <Stat
        name={t('owed_from_losses')}
        value={<Ptk minor={wallet.recovery_ptk} />}
        note={owes ? t('no_payouts_until_it_is_repaid') : t('nothing')}
        icon={<IconAlertTriangle {...icon} />}
        tone={owes ? 'alarm' : 'calm'}
      />
    </Stats>
  );
}

const balanceNames = {
  available_ptk: t('available'),
  guarantee_ptk: t('guarantee'),
  credit_drawn_ptk: t('credit_drawn'),
  recovery_ptk: t('owed_from_losses'),
} as const;

export type Balance = keyof typeof balanceNames;

/** Some of the balances, for a dialog that covers the tiles (D-1358). */
export const Balances = ({ wallet, of }: { wallet: MerchantWallet; of: readonly Balance[] }) => (
  <Facts of={of.map((name) => [balanceNames[name], <Ptk key={name} minor={wallet[name]} />])} />
);
