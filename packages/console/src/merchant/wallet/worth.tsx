/** What the wallet is worth in a currency of the person's choice, at today's rate (D-224). */
import { Select, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { MerchantWallet } from '../../api/admin.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { estimateOf } from '../../money/estimate.ts';
import { type KnownCurrency, useCurrencies } from '../currencies.ts';
import { decimalText } from '../../texts/format.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

const parts = [
  [t('available'), 'available_ptk'],
  [t('held'), 'held_ptk'],
  [t('frozen'), 'frozen_ptk'],
  [t('guarantee'), 'guarantee_ptk'],
] as const satisfies readonly (readonly [string, keyof MerchantWallet])[];

export function Worth({ merchant_no, wallet }: { merchant_no: string; wallet: MerchantWallet }) {
  const { currencies } = useCurrencies(merchant_no);
  const [chosen, choose] = useLocalStorage<string | null>({
    key: `paydesk-wallet-currency-${merchant_no}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const usable = currencies.filter(({ currency, ptk_price }) => currency !== 'PTK' && ptk_price !== null);
  const known = usable.find(({ currency }) => currency === chosen);
  return (
    <Panel
      title={t('in_another_currency')}
      about={t('an_estimate_at_todays_rate_the')}
      actions={
        <Select
          aria-label={t('currency_of_the_estimate')}
          placeholder={t('choose_a_currency')}
          data={usable.map(({ currency }) => currency)}
          value={known?.currency ?? null}
          onChange={choose}
          clearable
          clearButtonProps={{ 'aria-label': t('clear_currency') }}
          searchable={usable.length > 8}
          w={200}
        />
      }
    >
      {known === undefined ? (
        <Text size="sm" c="dimmed">
          {t('choose_a_currency_to_see_an')}
        </Text>
      ) : (
        <Estimates wallet={wallet} known={known} />
      )}
    </Panel>
  );
}

function Estimates({ wallet, known }: { wallet: MerchantWallet; known: KnownCurrency }) {
  const { currency, decimals, ptk_price } = known;
  const price = ptk_price ?? '0';
  const about = (minor: string) => {
    const amount = estimateOf(BigInt(minor), price, decimals);
    return amount === null ? undefined : (
      <>
        ≈ <Amount amount={amount} currency={currency} />
      </>
    );
  };
  return (
    <Facts
      of={[
        ...parts.map(([name, part]) => [name, about(wallet[part])] as const),
        [t('todays_rate'), `1 PTK = ${decimalText(price.replace(/\.?0+$/, ''))} ${currency}`],
      ]}
    />
  );
}
