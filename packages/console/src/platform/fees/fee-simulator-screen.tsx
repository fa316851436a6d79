import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useCurrencies } from '../lookups.ts';
import { type FeesDraft, freeDraft, RuleFields } from './fee-fields.tsx';
import { FeeSimulator } from './fee-simulator.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-money');

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
    <Page title={t('fee_simulator')} about={t('calculates_fees_exactly_before_anyone_pays')}>
      <Panel title={t('fees')} about={t('the_fixed_fee_is_added_to')}>
        <Stack>
          <Select
            label={t('currency')}
            data={currencies.map(({ code }) => code)}
            value={fees.currency}
            onChange={(currency) => setFees({ ...fees, currency: currency ?? fees.currency })}
            w={160}
          />
          <RuleFields
            legend={t('buyer_fee')}
            unit={fees.currency}
            value={fees.buyer}
            onChange={(buyer) => setFees({ ...fees, buyer })}
          />
          <RuleFields
            legend={t('merchant_fee')}
            unit={fees.currency}
            value={fees.merchant}
            onChange={(merchant) => setFees({ ...fees, merchant })}
          />
        </Stack>
      </Panel>
      <Panel title={t('result')}>
        <FeeSimulator fees={fees} decimals={decimals} />
      </Panel>
    </Page>
  );
}
