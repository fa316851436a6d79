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
import { useCurrencies } from '../currencies.ts';
import { useMerchantNo } from '../merchant-no.ts';
import { curlOf, exampleOf, type Example } from './curl.ts';
import { textsOf, verbatim } from '../../texts/texts.ts';

const t = textsOf('developers');

type ApiRequest = components['schemas']['ApiRequest'];
type StatusClass = '2xx' | '4xx' | '5xx';

const filtersFor = (clients: readonly (readonly [string, string])[]): Filter[] => [
  {
    kind: 'search',
    name: 'request_id',
    label: t('request_id'),
    placeholder: t('x_request_id_of_the_response'),
  },
  {
    kind: 'choice',
    name: 'status',
    label: t('response'),
    choices: [
      ['2xx', t('succeeded_2xx')],
      ['4xx', t('refused_4xx')],
      ['5xx', t('failed_5xx')],
    ],
  },
  { kind: 'choice', name: 'client_id', label: t('api_key'), choices: clients },
];

const tone = (status: number): string => (status < 400 ? 'paid' : status < 500 ? 'review' : 'failed');

const columnsOf = (names: ReadonlyMap<string, string>, example: Example): Column<ApiRequest>[] => [
  {
    header: t('request_3'),
    wide: true,
    cell: ({ method, path }) => (
      <span className="identifier">
        {method} {path}
      </span>
    ),
  },
  {
    header: t('response'),
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
    header: t('api_key'),
    cell: ({ client_id }) => <span className="wrap">{names.get(client_id) ?? client_id}</span>,
  },
  {
    header: t('duration'),
    end: true,
    cell: ({ duration_ms }) => <span className="number">{t('duration_ms_ms', { duration_ms })}</span>,
  },
  { header: t('time'), cell: ({ at }) => <Time at={at} /> },
  {
    header: t('request_id'),
    wide: true,
    cell: ({ request_id }) => <Identifier value={request_id} name={t('request_id_2')} />,
  },
  {
    header: verbatim('curl'),
    cell: (request) => (
      <CopyButton
        value={curlOf(`${window.location.origin}${pageSettings.base_path}`, request, example)}
        label={t('copy_as_curl')}
      />
    ),
  },
];

export function RequestsScreen() {
  const merchant_no = useMerchantNo();
  const { currencies } = useCurrencies(merchant_no);
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
      title={t('api_requests')}
      about={t('api_requests_of_the_last_seven')}
      above={
        <AppLink to="/console/merchants/$merchant_no/developers" params={{ merchant_no }}>
          {t('developers')}
        </AppLink>
      }
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={list.query.isRefetching}
          onClick={() => void list.query.refetch()}
        >
          {t('refresh')}
        </Button>
      }
    >
      <Filters filters={filtersFor(names)} />
      <DataTable
        name={t('api_requests')}
        columns={columnsOf(new Map(names), exampleOf(currencies))}
        rows={list.rows}
        list={list}
        rowKey={({ seen_id }) => seen_id}
        empty={
          isNarrowed ? (
            <Empty title={t('no_matching_requests')}>{t('every_response_carries_its_id_in')}</Empty>
          ) : (
            <Empty title={t('no_api_requests_yet')}>{t('requests_appear_as_soon_as_one')}</Empty>
          )
        }
      />
    </Page>
  );
}
