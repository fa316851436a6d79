import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Channel } from '../../api/admin.ts';
import { messageOf } from '../../api/api-error.ts';
import { Skeletons } from '../../components/page/loaded.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { draftsOf, FeeEditor, feesOf } from '../fees/fee-fields.tsx';
import { FeeSimulator } from '../fees/fee-simulator.tsx';
import { useCurrencies } from '../lookups.ts';
import { saveChannel } from './save-channel.ts';

/** The fees of a channel, and a simulator that applies them to an amount before they are saved. */
export function ChannelFees({ channel }: { channel: Channel }) {
  const currencies = useCurrencies();
  return currencies.length === 0 ? <Skeletons lines={4} /> : <FeesOf channel={channel} />;
}

function FeesOf({ channel }: { channel: Channel }) {
  const currencies = useCurrencies();
  const decimalsOf = (code: string) => currencies.find((one) => one.code === code)?.decimals ?? 0;
  const stored = draftsOf(channel.fees, decimalsOf);
  const [drafts, setDrafts] = useState(stored);
  const [tried, setTried] = useState(stored[0]?.currency ?? '');
  const queries = useQueryClient();
  const fees = feesOf(drafts, decimalsOf);
  const save = useMutation({
    mutationFn: () => saveChannel(channel.payment_no, { fees }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['platform', '/channels'] });
      notifications.show({ color: 'teal', message: 'The fees are saved. They hold for orders from now on.' });
    },
  });
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(stored);
  const shown = drafts.find(({ currency }) => currency === tried) ?? drafts[0];
  return (
    <>
      <Panel
        title="Fees"
        about="For each currency: what the buyer pays on top, and what the merchant gives up. A currency without fees cannot be paid."
        actions={
          <Button
            disabled={!isChanged || fees === null}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Save the fees
          </Button>
        }
      >
        <Stack>
          {save.isError && (
            <Alert color="red" role="alert" title="Not saved">
              {messageOf(save.error)}
            </Alert>
          )}
          <FeeEditor value={drafts} currencies={currencies} onChange={setDrafts} />
        </Stack>
      </Panel>
      {shown !== undefined && shown.currency !== '' && (
        <Panel
          title="Simulator"
          about="With the fees as they stand above, saved or not."
          actions={
            <Group>
              <Select
                aria-label="Currency to try"
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
