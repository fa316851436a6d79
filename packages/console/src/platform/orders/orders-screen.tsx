/** The orders of all merchants. */
import { useNavigate } from '@tanstack/react-router';
import type { OrderCount } from '@paydesk/contract';
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type ListedOrder, useAdminList } from '../../api/admin.ts';
import { type ChosenColumn, ColumnMenu, shownColumns } from '../../components/list/columns.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { ListTools } from '../../components/list/list-tools.tsx';
import { SavedViews } from '../../components/list/saved-views.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { orderColumns, referenceColumn } from '../../order/order-columns.tsx';
import {
  createdFilter,
  moreOrderFilters,
  orderQuery,
  orderSorts,
  sortOf,
  statusFilter,
} from '../../order/order-list.ts';
import { PlatformExport } from '../allowed.tsx';
import { merchantFinder, useCurrencies } from '../lookups.ts';
import { isCatalogOrder, OrderLink } from './order-link.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

const columns: readonly ChosenColumn<ListedOrder>[] = [
  {
    key: 'order',
    header: t('order'),
    wide: true,
    cell: ({ order_no }) => <OrderLink order_no={order_no} bold />,
  },
  ...orderColumns.filter(({ key }) => key === 'status'),
  {
    key: 'merchant',
    header: t('merchant'),
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  {
    ...referenceColumn(({ external_reference }) => <span className="identifier">{external_reference}</span>),
    wide: false,
  },
  // A platform looks for orders, a merchant knows what they are about.
  ...orderColumns
    .filter(({ key }) => key !== 'status')
    .map((column) => (['description', 'net'].includes(column.key) ? { ...column, hidden: true } : column)),
];

export function PlatformOrdersScreen() {
  const [view] = useView();
  const query = { ...orderQuery(view), ...pick(view, ['merchant_no']) };
  const list = useAdminList<ListedOrder>('/collection-orders', { ...query, ...sortOf(view) });
  const count = useQuery(adminQuery<OrderCount>('/collection-order-count', query));
  const currencies = useCurrencies();
  const isNarrowed = Object.values(query).some((value) => value !== undefined);
  const navigate = useNavigate();
  return (
    <Page
      title={t('orders')}
      about={t('all_orders_of_all_merchants_newest')}
      actions={<PlatformExport path="/admin/v1/collection-orders" query={query} />}
    >
      <Filters
        filters={[
          {
            kind: 'search',
            name: 'q',
            label: t('find_orders'),
            placeholder: t('reference_order_number_or_provider_reference'),
          },
          statusFilter,
          createdFilter,
          {
            kind: 'found',
            name: 'merchant_no',
            label: t('merchant'),
            finder: merchantFinder,
          },
        ]}
        more={moreOrderFilters(currencies.map(({ code }) => code))}
      />
      <ListTools count={count} sorts={orderSorts}>
        <ColumnMenu columns={columns} />
        <SavedViews list="platform-orders" />
      </ListTools>
      <DataTable
        name={t('orders')}
        columns={shownColumns(columns, view)}
        rows={list.rows}
        list={list}
        rowKey={({ order_no }) => order_no}
        onOpen={({ order_no }) => {
          void navigate({ to: '/platform/orders/$order_no', params: { order_no } });
        }}
        empty={
          isCatalogOrder(view.q ?? '') ? (
            <Empty title={t('this_is_a_product_order')}>
              <OrderLink order_no={view.q ?? ''} />
            </Empty>
          ) : isNarrowed ? (
            <Empty title={t('no_matching_orders')}>{t('no_order_matches_the_filters_clear')}</Empty>
          ) : (
            <Empty title={t('no_orders_yet')}>{t('orders_come_from_merchants')}</Empty>
          )
        }
      />
    </Page>
  );
}
