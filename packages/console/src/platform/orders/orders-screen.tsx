/** The orders of all merchants. */
import { useNavigate } from '@tanstack/react-router';
import { type ListedOrder, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { PlatformExport } from '../allowed.tsx';
import { merchantFinder } from '../lookups.ts';
import { isCatalogOrder, OrderLink } from './order-link.tsx';

const statuses = ['pending', 'paid', 'review', 'expired', 'refunded', 'chargeback'] as const;

const columns: Column<ListedOrder>[] = [
  {
    header: 'Order',
    wide: true,
    cell: ({ order_no }) => <OrderLink order_no={order_no} bold />,
  },
  { header: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    header: 'Merchant',
    cell: ({ merchant_no, merchant_name }) => (
      <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no }} className="wrap">
        {merchant_name}
      </AppLink>
    ),
  },
  {
    header: 'Reference',
    cell: ({ external_reference }) => <span className="identifier">{external_reference}</span>,
  },
  {
    header: 'Amount',
    end: true,
    cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
  },
  { header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
];

export function PlatformOrdersScreen() {
  const [view] = useView();
  const query = pick(view, ['q', 'status', 'merchant_no']);
  const list = useAdminList<ListedOrder>('/collection-orders', query);
  const navigate = useNavigate();
  return (
    <Page
      title="Orders"
      about="Any order of any merchant, newest first. Orders of products (co_…) are found by their number."
      actions={<PlatformExport path="/admin/v1/collection-orders" query={query} />}
    >
      <Filters
        filters={[
          {
            kind: 'search',
            name: 'q',
            label: 'Reference, order or trade number',
            placeholder: 'The whole of it',
          },
          {
            kind: 'choice',
            name: 'status',
            label: 'Status',
            choices: statuses.map((status) => [status, words(status)] as const),
          },
          {
            kind: 'found',
            name: 'merchant_no',
            label: 'Merchant',
            finder: merchantFinder,
          },
        ]}
      />
      <DataTable
        name="Orders"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ order_no }) => order_no}
        onOpen={({ order_no }) => {
          void navigate({ to: '/platform/orders/$order_no', params: { order_no } });
        }}
        empty={
          isCatalogOrder(view.q ?? '') ? (
            <Empty title="This is an order of a product">
              <OrderLink order_no={view.q ?? ''} />
            </Empty>
          ) : (
            <Empty title="No such orders">Nothing matches what the list is narrowed to.</Empty>
          )
        }
      />
    </Page>
  );
}
