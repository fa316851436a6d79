/** The recent requests of the merchant's programs, with their answers. */
import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type components } from '../../api/client.ts';
import { pageSettings } from '../../api/page-settings.ts';
import { useList } from '../../api/list.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { type Filter, Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { CopyButton, Identifier } from '../../components/values/copy-button.tsx';
import { Status } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { curlOf } from './curl.ts';

type ApiRequest = components['schemas']['ApiRequest'];
type StatusClass = '2xx' | '4xx' | '5xx';

const filtersFor = (clients: readonly (readonly [string, string])[]): Filter[] => [
  { kind: 'search', name: 'request_id', label: 'Request id', placeholder: 'X-Request-Id of the answer' },
  {
    kind: 'choice',
    name: 'status',
    label: 'Answer',
    choices: [
      ['2xx', 'Done (2xx)'],
      ['4xx', 'Refused (4xx)'],
      ['5xx', 'Failed (5xx)'],
    ],
  },
  { kind: 'choice', name: 'client_id', label: 'Client', choices: clients },
];

const tone = (status: number): string => (status < 400 ? 'paid' : status < 500 ? 'review' : 'failed');

const columnsOf = (names: ReadonlyMap<string, string>): Column<ApiRequest>[] => [
  {
    header: 'Call',
    wide: true,
    cell: ({ method, path }) => (
      <span className="identifier">
        {method} {path}
      </span>
    ),
  },
  {
    header: 'Answer',
    cell: ({ status, error, field }) => (
      <>
        <Status value={tone(status)} label={String(status)} />
        {error !== null && (
          <Text size="xs" c="dimmed" className="wrap">
            {field === null ? error : `${error}: ${field}`}
          </Text>
        )}
      </>
    ),
  },
  {
    header: 'Client',
    cell: ({ client_id }) => <span className="wrap">{names.get(client_id) ?? client_id}</span>,
  },
  { header: 'Took', end: true, cell: ({ duration_ms }) => <span className="number">{duration_ms} ms</span> },
  { header: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    header: 'Request id',
    wide: true,
    cell: ({ request_id }) => <Identifier value={request_id} name="request id" />,
  },
  {
    header: 'curl',
    cell: (request) => (
      <CopyButton
        value={curlOf(`${window.location.origin}${pageSettings.base_path}`, request)}
        label="Copy as curl"
      />
    ),
  },
];

export function RequestsScreen() {
  const merchant_no = useMerchantNo();
  const [view] = useView();
  const query = pick(view, ['request_id', 'status', 'client_id']) as {
    request_id?: string;
    status?: StatusClass;
    client_id?: string;
  };
  const clients = useQuery({
    queryKey: ['merchant', merchant_no, 'clients', 'names'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/clients', {
          params: { path: { merchant_no }, query: { limit: 100 } },
          signal,
        }),
      ),
  });
  const names = (clients.data?.items ?? []).map(({ client_id, name }) => [client_id, name] as const);
  const list = useList<ApiRequest>(
    ['merchant', merchant_no, 'api-requests', query],
    (page, signal) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/api-requests', {
          params: { path: { merchant_no }, query: { ...query, ...page } },
          signal,
        }),
      ),
    // A request is written a moment after it was made: look for it again until it is there.
    { while_empty_ms: query.request_id === undefined ? undefined : 2_000 },
  );
  const isNarrowed = Object.keys(query).length > 0;
  return (
    <Page
      title="API requests"
      about="What your programs have asked in the last seven days, and what they were answered. Bodies, queries and tokens are not kept. A request whose credentials were refused is nobody’s, and not here."
      above={
        <AppLink to="/console/merchants/$merchant_no/developers" params={{ merchant_no }}>
          Developers
        </AppLink>
      }
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={list.query.isRefetching}
          onClick={() => void list.query.refetch()}
        >
          Refresh
        </Button>
      }
    >
      <Filters filters={filtersFor(names)} />
      <DataTable
        name="API requests"
        columns={columnsOf(new Map(names))}
        rows={list.rows}
        list={list}
        rowKey={({ seen_id }) => seen_id}
        empty={
          isNarrowed ? (
            <Empty title="No request fits">
              Every answer carries its id in X-Request-Id. A request whose token was wrong is nobody’s, and is
              not here; one of this moment takes a second or two.
            </Empty>
          ) : (
            <Empty title="No requests lately">
              They appear as soon as one of your clients asks for something.
            </Empty>
          )
        }
      />
    </Page>
  );
}
