import { Button, Group, Select, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useId, useState } from 'react';
import type { Channel, Currency } from '../../api/admin.ts';
import { notice } from '../../components/dialog/notice.ts';
import { Overtaken, useDraft } from '../../components/page/draft.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Refused } from '../../components/page/refused.tsx';
import { ptkDecimals } from '../../money/money.ts';
import { useMayDo } from '../allowed.tsx';
import { draftsOf, FeeEditor, feesOf } from '../fees/fee-fields.tsx';
import { FeeSimulator } from '../fees/fee-simulator.tsx';
import { currenciesQuery, useCurrencies } from '../lookups.ts';
import { saveChannel } from './save-channel.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-channels');

/** The fees of a channel, and a simulator that applies them to an amount before they are saved. */
export function ChannelFees({ channel }: { channel: Channel }) {
  return <Loaded of={useQuery(currenciesQuery)}>{() => <FeesOf channel={channel} />}</Loaded>;
}

/** Also where no order can be priced in PTK (D-1343). */
const withPtk = (currencies: readonly Currency[]): readonly Currency[] =>
  currencies.some(({ code }) => code === 'PTK')
    ? currencies
    : [...currencies, { code: 'PTK', decimals: ptkDecimals, enabled: false, min_minor: 0, max_minor: 0 }];

function FeesOf({ channel }: { channel: Channel }) {
  const known = useCurrencies();
  const currencies = withPtk(known);
  const decimalsOf = (code: string) => currencies.find((one) => one.code === code)?.decimals ?? 0;
  // What is paid from a wallet is always PTK, whatever the order's currency is (D-1343).
  const offered =
    channel.provider === 'ptk'
      ? currencies.filter(({ code }) => code === 'PTK' || channel.fees.some((one) => one.currency === code))
      : known;
  const stored = draftsOf(channel.fees, decimalsOf);
  const { draft: drafts, setDraft: setDrafts, isOvertaken, reset } = useDraft(stored);
  const [tried, setTried] = useState(stored[0]?.currency ?? '');
  const queries = useQueryClient();
  const fees = feesOf(drafts, decimalsOf);
  const save = useMutation({
    mutationFn: () => saveChannel(channel.payment_no, { fees }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['platform'] });
      notice({ color: 'teal', message: t('fees_saved_they_apply_to_new') });
    },
  });
  const mayChange = useMayDo('administer');
  const form = useId();
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(stored);
  const shown = drafts.find(({ currency }) => currency === tried) ?? drafts[0];
  return (
    <>
      <Panel
        title={t('fees')}
        about={t('the_buyer_fee_and_the_merchant')}
        unsent={isChanged}
        actions={
          mayChange && (
            <Button type="submit" form={form} disabled={!isChanged || fees === null} loading={save.isPending}>
              {t('save_fees')}
            </Button>
          )
        }
      >
        <Stack
          component="form"
          id={form}
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault();
            save.mutate(undefined, { onSuccess: reset });
          }}
        >
          {isOvertaken && isChanged && !save.isPending && <Overtaken />}
          {save.isError && <Refused title={t('the_changes_were_not_saved')} error={save.error} />}
          <FeeEditor value={drafts} currencies={offered} onChange={mayChange ? setDrafts : null} />
        </Stack>
      </Panel>
      {shown !== undefined && shown.currency !== '' && (
        <Panel
          title={t('simulator')}
          about={t('uses_the_fees_above_saved_or')}
          actions={
            <Group>
              <Select
                aria-label={t('currency_to_simulate')}
                data={drafts.map(({ currency }) => currency).filter((code) => code !== '')}
                value={shown.currency}
                onChange={(code) => setTried(code ?? '')}
                w={110}
              />
            </Group>
          }
        >
          <FeeSimulator fees={shown} decimals={decimalsOf(shown.currency)} />
        </Panel>
      )}
    </>
  );
}
