import { Alert, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { decimalOf, minorOf } from '../../money/money.ts';
import { type FeesDraft, ruleOf } from './fee-fields.tsx';
import { feeOn } from './fees.ts';

/** Applies fees to an amount: what the buyer pays, and what reaches the merchant. */
export function FeeSimulator({ fees, decimals }: { fees: FeesDraft; decimals: number }) {
  const [amount, setAmount] = useState('100');
  const { currency } = fees;
  const base = minorOf(amount, decimals);
  const [buyer, merchant] = [ruleOf(fees.buyer, decimals), ruleOf(fees.merchant, decimals)];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={`Amount of the order, ${currency}`}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={base === null ? `A number with at most ${decimals} decimals.` : undefined}
      />
      <Stack>
        {base === null || buyer === null || merchant === null ? (
          <Alert color="orange">Complete the numbers to see the result.</Alert>
        ) : (
          <Outcome
            currency={currency}
            decimals={decimals}
            base={base}
            buyer={feeOn(base, buyer)}
            merchant={feeOn(base, merchant)}
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
        ['Order', show(base)],
        ['Buyer’s fee', show(buyer)],
        ['The buyer pays', <strong key="pays">{show(base + buyer)}</strong>],
        ['Merchant’s fee', show(merchant)],
        ['The merchant is credited', <strong key="nets">{show(base - merchant)}</strong>],
      ]}
    />
  );
}
