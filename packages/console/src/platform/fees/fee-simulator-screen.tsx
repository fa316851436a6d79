import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useCurrencies } from '../lookups.ts';
import { type FeesDraft, freeDraft, RuleFields } from './fee-fields.tsx';
import { FeeSimulator } from './fee-simulator.tsx';

/** Tries fees without a channel. */
export function FeeSimulatorScreen() {
  const currencies = useCurrencies();
  const [fees, setFees] = useState<FeesDraft>({
    currency: 'USD',
    buyer: { ...freeDraft, fixed: '0.30', percent: '2.9' },
    merchant: { ...freeDraft, percent: '1' },
  });
  const decimals = currencies.find(({ code }) => code === fees.currency)?.decimals ?? 2;
  return (
    <Page
      title="Fee simulator"
      about="What fees make of an amount, to the last unit, before anyone pays them. Nothing is saved."
    >
      <Panel
        title="Fees"
        about="The fixed part joins the amount before the percentage is taken. A cap limits the percentage alone."
      >
        <Stack>
          <Select
            label="Currency"
            data={currencies.map(({ code }) => code)}
            value={fees.currency}
            onChange={(currency) => setFees({ ...fees, currency: currency ?? fees.currency })}
            w={160}
          />
          <RuleFields
            legend="The buyer pays on top"
            unit={fees.currency}
            value={fees.buyer}
            onChange={(buyer) => setFees({ ...fees, buyer })}
          />
          <RuleFields
            legend="The merchant gives up"
            unit={fees.currency}
            value={fees.merchant}
            onChange={(merchant) => setFees({ ...fees, merchant })}
          />
        </Stack>
      </Panel>
      <Panel title="Result">
        <FeeSimulator fees={fees} decimals={decimals} />
      </Panel>
    </Page>
  );
}
