/** The screen that compares the merchant's own records with the orders here. */
import { Button, FileButton, Group, Progress, Stack, Text, Textarea } from '@mantine/core';
import { type OwnRecord, reconcile } from '@paydesk/sdk/reconcile';
import { IconScale, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DateRange } from '../../components/dates/date-range.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Refused } from '../../components/page/refused.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { loadCreated, loadNamed } from './load-orders.ts';
import { Outcome, type Result } from './outcome.tsx';
import { readRecords } from './read-records.ts';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('wallet');

const example =
  'reference,amount,currency,status\nINV-2026-00417,79.99,USD,paid\nINV-2026-00418,12.50,USD,pending\n';

/** A browser says nothing when the file that is chosen already is chosen again, as after a correction (D-1138). */
const chosenAnew: React.ComponentProps<'input'> = {
  onClick: ({ currentTarget }) => {
    currentTarget.value = '';
  },
};

export function ReconciliationScreen() {
  const merchant_no = useMerchantNo();
  const [text, setText] = useState('');
  const [days, setDays] = useState<[string | null, string | null]>([null, null]);
  const [loaded, setLoaded] = useState(0);
  const compare = useMutation({
    mutationFn: async (records: readonly OwnRecord[]): Promise<Result> => {
      const named = await loadNamed(merchant_no, records, setLoaded);
      const created = await loadCreated(merchant_no, days, (count) => setLoaded(named.length + count));
      return reconcile(records, [...named, ...created]);
    },
  });
  const read = text.trim() === '' ? null : readRecords(text);
  const problem = read !== null && 'problem' in read ? read.problem : null;
  return (
    <Page title={t('reconciliation')} about={t('compare_your_own_records_with_the')}>
      <Panel
        title={t('your_records_2')}
        about={t('csv_with_a_header_row_reference')}
        unsent={text !== ''}
        actions={
          <FileButton
            accept=".csv,text/csv,text/plain"
            onChange={(file) => void file?.text().then(setText)}
            inputProps={chosenAnew}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                {t('open_file')}
              </Button>
            )}
          </FileButton>
        }
      >
        <Stack>
          <Textarea
            label={t('or_paste_records_here')}
            placeholder={example}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={5}
            maxRows={14}
            error={problem}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <Group align="flex-end">
            <DateRange
              label={t('orders_created')}
              description={t('also_finds_orders_that_your_records')}
              placeholder={t('do_not_search')}
              value={days}
              onChange={setDays}
              clearable
            />
            <Button
              leftSection={<IconScale size={16} />}
              disabled={read === null || problem !== null}
              loading={compare.isPending}
              onClick={() => {
                if (read !== null && 'records' in read) compare.mutate(read.records);
              }}
            >
              {t('compare')}
            </Button>
          </Group>
          <ComparisonStatus isPending={compare.isPending} error={compare.error} loaded={loaded} />
        </Stack>
      </Panel>
      {compare.data !== undefined && <Outcome result={compare.data} merchant_no={merchant_no} />}
    </Page>
  );
}

interface ComparisonStatusProps {
  isPending: boolean;
  error: Error | null;
  /** The number of orders loaded so far. */
  loaded: number;
}

const ComparisonStatus = ({ isPending, error, loaded }: ComparisonStatusProps) => (
  <>
    {isPending && (
      <div role="status">
        <Progress value={100} animated aria-label={t('loading_orders')} />
        <Text size="sm" c="dimmed" mt={4}>
          {t('loaded_orders_so_far', { loaded })}
        </Text>
      </div>
    )}
    {error !== null && <Refused title={t('the_comparison_failed')} error={error} />}
  </>
);
