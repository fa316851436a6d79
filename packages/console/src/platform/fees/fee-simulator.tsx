import { Alert, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { decimalOf, minorOf } from '../../money/money.ts';
import { typedAmount } from '../../money/typed-amount.ts';
import { type FeesDraft, ruleOf } from './fee-fields.tsx';
import { feesOn } from './fees.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

/** Applies fees to an amount: what the buyer pays, and what reaches the merchant. */
export function FeeSimulator({ fees, decimals }: { fees: FeesDraft; decimals: number }) {
  const [amount, setAmount] = useState('100');
  const { currency } = fees;
  const base = minorOf(typedAmount(amount), decimals);
  const [buyer, merchant] = [ruleOf(fees.buyer, decimals), ruleOf(fees.merchant, decimals)];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t('order_amount_currency', { currency })}
        value={amount}
        inputMode="decimal"
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={base === null ? t('enter_a_number_with_at_most', { decimals }) : undefined}
      />
      <Stack>
        {base === null || buyer === null || merchant === null ? (
          <Alert color="orange">{t('enter_all_numbers_to_see_the')}</Alert>
        ) : (
          <Outcome
            currency={currency}
            decimals={decimals}
            base={base}
            {...feesOn(base, { buyer, merchant })}
          />
        )}
      </Stack>
    </SimpleGrid>
  );
}

interface OutcomeProps {
  currency: string;
  decimals: number;
  base: bigint;
  buyer: bigint;
  merchant: bigint;
}

function Outcome({ currency, decimals, base, buyer, merchant }: OutcomeProps) {
  const show = (minor: bigint) => <Amount amount={decimalOf(minor, decimals)} currency={currency} />;
  return (
    <Facts
      of={[
        [t('order'), show(base)],
        [t('buyer_fee_2'), show(buyer)],
        [t('buyer_pays'), <strong key="pays">{show(base + buyer)}</strong>],
        [t('merchant_fee_2'), show(merchant)],
        [t('merchant_receives'), <strong key="nets">{show(base - merchant)}</strong>],
      ]}
    />
  );
}
