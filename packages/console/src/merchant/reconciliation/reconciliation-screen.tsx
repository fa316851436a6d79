import {
  Alert,
  Button,
  FileButton,
  Group,
  Progress,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { reconcile, type OwnRecord, type ReconciledOrder, type Reconciliation } from '@paydesk/sdk/reconcile';
import { IconDownload, IconScale, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { answerOf, api } from '../../api/client.ts';
import { instantOf } from '../../components/list/filters.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Stat } from '../../components/figures/stat.tsx';
import { csvOf, download } from './csv.ts';
import { useMerchantNo } from '../merchant-no.ts';
import { readRecords } from './read-records.ts';
import { findingCsv, type FindingKind, findingsOf, FindingsTable, kindNames } from './findings.tsx';

type Result = Reconciliation<OwnRecord, ReconciledOrder>;

const example =
  'reference,amount,currency,status\nINV-2026-00417,79.99,USD,paid\nINV-2026-00418,12.50,USD,pending\n';

/** The merchant's own records beside the orders here: what fits, and what does not. */
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
    <Page
      title="Reconciliation"
      about="Compare your own records with the orders here. That happens in this browser: what your records are called is asked for, what they say is not uploaded."
    >
      <Panel
        title="Your records"
        about="CSV with a line of names: reference, amount and currency; status, event_id and order_no where you have them. A record without a status counts as paid."
        actions={
          <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void file?.text().then(setText)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                Open a file
              </Button>
            )}
          </FileButton>
        }
      >
        <Stack>
          <Textarea
            label="Or paste them here"
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
            <DatePickerInput
              type="range"
              label="Orders created"
              description="To find what your records lack"
              placeholder="Not looked for"
              value={days}
              onChange={setDays}
              clearable
              clearButtonProps={{ 'aria-label': 'Clear the days' }}
              w={280}
            />
            <Button
              leftSection={<IconScale size={16} />}
              disabled={read === null || problem !== null}
              loading={compare.isPending}
              onClick={() => {
                if (read !== null && 'records' in read) compare.mutate(read.records);
              }}
            >
              Compare
            </Button>
          </Group>
          {compare.isPending && (
            <div role="status">
              <Progress value={100} animated aria-label="Loading orders" />
              <Text size="sm" c="dimmed" mt={4}>
                {loaded} orders so far
              </Text>
            </div>
          )}
          {compare.isError && (
            <Alert color="red" role="alert" title="Not compared">
              {messageOf(compare.error)}
            </Alert>
          )}
        </Stack>
      </Panel>
      {compare.data !== undefined && <Outcome result={compare.data} merchant_no={merchant_no} />}
    </Page>
  );
}

/** So many records are asked for at a time. */
const chunk = 500;

/** The orders that the records are about, whenever they were created. */
async function loadNamed(
  merchant_no: string,
  records: readonly OwnRecord[],
  onProgress: (count: number) => void,
): Promise<ReconciledOrder[]> {
  const orders: ReconciledOrder[] = [];
  onProgress(0);
  for (let at = 0; at < records.length; at += chunk) {
    const some = records.slice(at, at + chunk);
    const body = {
      external_references: fit(
        some.map(({ external_reference }) => external_reference.trim()),
        191,
      ),
      order_nos: fit(
        some.map(({ order_no }) => order_no),
        64,
      ),
      event_ids: fit(
        some.map(({ event_id }) => event_id),
        64,
      ),
    };
    const { items, complete } = await answerOf(
      api.POST('/console/v1/merchants/{merchant_no}/reconciliation', {
        params: { path: { merchant_no } },
        body,
      }),
    );
    if (!complete) throw new Error('There are more orders under these references than can be compared.');
    orders.push(...items);
    onProgress(orders.length);
  }
  return orders;
}

/** What can be a name at all: anything else is no order's. */
const fit = (names: readonly (string | null | undefined)[], most: number): string[] =>
  names.filter((name) => name != null && name !== '' && name.length <= most) as string[];

/** Every order of those days, page by page; none where no days were chosen. */
async function loadCreated(
  merchant_no: string,
  [from, until]: [string | null, string | null],
  onProgress: (count: number) => void,
): Promise<ReconciledOrder[]> {
  if (from === null || until === null) return [];
  const query = { from: instantOf(from, 'from'), to: instantOf(until, 'until') };
  const orders: ReconciledOrder[] = [];
  let cursor: string | undefined;
  do {
    const page = await answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/collection-orders', {
        params: { path: { merchant_no }, query: { ...query, limit: 100, cursor } },
      }),
    );
    orders.push(...page.items);
    onProgress(orders.length);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return orders;
}

function Outcome({ result, merchant_no }: { result: Result; merchant_no: string }) {
  const findings = findingsOf(result);
  const [kind, setKind] = useState<FindingKind | 'all'>('all');
  const count = (one: FindingKind) => findings.filter((finding) => finding.kind === one).length;
  const shown = kind === 'all' ? findings : findings.filter((finding) => finding.kind === kind);
  return (
    <Panel
      title="Result"
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() =>
            download(
              'reconciliation.csv',
              csvOf([
                findingCsv.map(({ header }) => header),
                ...findings.map((row) => findingCsv.map(({ text }) => text(row))),
              ]),
            )
          }
        >
          Export CSV
        </Button>
      }
    >
      <Stack>
        <SimpleGrid cols={{ base: 2, sm: 5 }}>
          {(Object.keys(kindNames) as FindingKind[]).map((one) => (
            <Stat
              key={one}
              name={kindNames[one]}
              value={count(one)}
              tone={one === 'match' || count(one) === 0 ? 'calm' : 'alarm'}
            />
          ))}
        </SimpleGrid>
        <div className="scroll-x">
          <SegmentedControl
            aria-label="Show"
            value={kind}
            onChange={(value) => setKind(value)}
            data={[
              { value: 'all', label: 'All' },
              ...(Object.keys(kindNames) as FindingKind[]).map((one) => ({
                value: one,
                label: kindNames[one],
              })),
            ]}
          />
        </div>
        <FindingsTable findings={shown} merchant_no={merchant_no} />
      </Stack>
    </Panel>
  );
}
