/** What the wallet is worth in a currency of the person's choice, at today's rate. */
import { Select, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { MerchantWallet } from '../../api/admin.ts';
import { Panel } from '../../components/page/panel.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { estimateOf } from '../../money/estimate.ts';
import { type KnownCurrency, useCurrencies } from '../currencies.ts';

const parts = [
  ['Available', 'available_ptk'],
  ['Held', 'held_ptk'],
  ['Frozen', 'frozen_ptk'],
  ['Guarantee', 'guarantee_ptk'],
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
      title="In another currency"
      about="An estimate at today’s rate. The wallet itself is in PTK, and a payout has a rate of its own."
      actions={
        <Select
          aria-label="Currency of the estimate"
          placeholder="Choose a currency"
          data={usable.map(({ currency }) => currency)}
          value={known?.currency ?? null}
          onChange={choose}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the currency' }}
          searchable={usable.length > 8}
          w={200}
        />
      }
    >
      {known === undefined ? (
        <Text size="sm" c="dimmed">
          Choose a currency to see what the wallet is worth.
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
        ['Rate today', `1 PTK = ${price.replace(/\.?0+$/, '')} ${currency}`],
      ]}
    />
  );
}
