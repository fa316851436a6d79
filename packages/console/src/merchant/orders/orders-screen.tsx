/** The orders of this merchant: search by any of their numbers, filter, open. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import type { ConsoleOrder } from '../../api/merchants.ts';
import { merchantPath } from '../../api/merchants.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { type ChosenColumn, ColumnMenu, shownColumns } from '../../components/list/columns.tsx';
import { type Filter, Filters } from '../../components/list/filters.tsx';
import { ListTools } from '../../components/list/list-tools.tsx';
import { SavedViews } from '../../components/list/saved-views.tsx';
import { useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { numberColumn, orderColumns, referenceColumn } from '../../order/order-columns.tsx';
import {
  createdFilter,
  moreOrderFilters,
  orderQuery,
  orderSorts,
  sortOf,
  statusFilter,
} from '../../order/order-list.ts';
import { useCurrencies } from '../currencies.ts';
import { useMerchantNo } from '../merchant-no.ts';
import { NewOrder } from './new-order.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

const orderFilters: readonly Filter[] = [
  {
    kind: 'search',
    name: 'q',
    label: t('find_orders'),
    placeholder: t('reference_order_number_or_provider_reference'),
  },
  statusFilter,
  createdFilter,
];

export function OrdersScreen() {
  const merchant_no = useMerchantNo();
  const [view] = useView();
  const navigate = useNavigate();
  const { choices } = useCurrencies(merchant_no);
  const query = orderQuery(view);
  const sort = sortOf(view);
  const list = useList<ConsoleOrder>(['merchant', merchant_no, 'orders', query, sort], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/collection-orders', {
        params: { path: { merchant_no }, query: { ...query, ...sort, ...page } },
        signal,
      }),
    ),
  );
  const count = useQuery({
    queryKey: ['merchant', merchant_no, 'orders', query, 'count'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/collection-order-count', {
          params: { path: { merchant_no }, query },
          signal,
        }),
      ),
  });
  const columns = columnsOf(merchant_no);
  const isNarrowed = Object.values(query).some((value) => value !== undefined);
  return (
    <Page
      title={t('orders')}
      about={t('all_orders_from_your_server_your')}
      actions={
        <>
          <NewOrder merchant_no={merchant_no} />
          <CsvExport path={merchantPath(merchant_no, '/collection-orders')} query={query} />
        </>
      }
    >
      <Filters filters={orderFilters} more={moreOrderFilters(choices.map(({ value }) => value))} />
      <ListTools count={count} sorts={orderSorts}>
        <ColumnMenu columns={columns} />
        <SavedViews list="orders" />
      </ListTools>
      <DataTable
        name={t('orders')}
        columns={shownColumns(columns, view)}
        rows={list.rows}
        list={list}
        rowKey={({ order_no }) => order_no}
        onOpen={({ order_no }) => {
          void navigate({
            to: '/console/merchants/$merchant_no/orders/$order_no',
            params: { merchant_no, order_no },
          });
        }}
        empty={
          isNarrowed ? (
            <Empty title={t('no_matching_orders')}>{t('no_order_matches_the_search_and')}</Empty>
          ) : (
            <Empty title={t('no_orders_yet')}>{t('orders_come_from_your_server_through')}</Empty>
          )
        }
      />
    </Page>
  );
}

const columnsOf = (merchant_no: string): readonly ChosenColumn<ConsoleOrder>[] => [
  referenceColumn(({ order_no, external_reference }) => (
    <AppLink
      to="/console/merchants/$merchant_no/orders/$order_no"
      params={{ merchant_no, order_no }}
      fw={600}
      size="sm"
      className="wrap"
    >
      {external_reference}
    </AppLink>
  )),
  numberColumn,
  ...orderColumns,
];
