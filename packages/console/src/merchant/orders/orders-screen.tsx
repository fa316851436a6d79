/** The orders of this merchant: search by any of their numbers, filter, open. */
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import type { ConsoleOrder } from '../../api/merchants.ts';
import { merchantPath } from '../../api/merchants.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { DataTable } from '../../components/list/data-table.tsx';
import { type Filter, Filters, instantOf } from '../../components/list/filters.tsx';
import { useView } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { words } from '../../components/values/status.tsx';
import { orderColumns } from '../../order/order-columns.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { NewOrder } from './new-order.tsx';

type Status = ConsoleOrder['status'];

const statuses: readonly Status[] = ['pending', 'review', 'paid', 'expired', 'refunded', 'chargeback'];

export const orderFilters: readonly Filter[] = [
  {
    kind: 'search',
    name: 'q',
    label: 'Find',
    placeholder: 'Reference, order or trade number',
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    choices: statuses.map((one) => [one, words(one)] as const),
  },
  { kind: 'period', from: 'from', until: 'until', label: 'Created' },
];

export function OrdersScreen() {
  const merchant_no = useMerchantNo();
  const [view] = useView();
  const navigate = useNavigate();
  const query = {
    q: view.q,
    status: view.status as Status | undefined,
    from: instantOf(view.from, 'from'),
    to: instantOf(view.until, 'until'),
  };
  const list = useList<ConsoleOrder>(['merchant', merchant_no, 'orders', query], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/collection-orders', {
        params: { path: { merchant_no }, query: { ...query, ...page } },
        signal,
      }),
    ),
  );
  const isNarrowed = Object.values(query).some((value) => value !== undefined);
  return (
    <Page
      title="Orders"
      about="Every order of your server, your payment links and your team, newest first."
      actions={
        <>
          <NewOrder merchant_no={merchant_no} />
          <CsvExport path={merchantPath(merchant_no, '/collection-orders')} query={query} />
        </>
      }
    >
      <Filters filters={orderFilters} />
      <DataTable
        name="Orders"
        columns={orderColumns((order) => (
          <AppLink
            to="/console/merchants/$merchant_no/orders/$order_no"
            params={{ merchant_no, order_no: order.order_no }}
            fw={600}
            size="sm"
            className="wrap"
          >
            {order.external_reference}
          </AppLink>
        ))}
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
            <Empty title="No order fits">
              Searching finds whole numbers and references, not parts of them. Clear the filters to see all.
            </Empty>
          ) : (
            <Empty title="No orders yet">
              Your server creates them: see Developers for how. You can also create one here, or a payment
              link.
            </Empty>
          )
        }
      />
    </Page>
  );
}
