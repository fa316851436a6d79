/** The complaints, disputes and refunds of all merchants. They are decided on the page of their order. */
import { type ListedComplaint, type ListedRefund, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status, words } from '../../components/values/status.tsx';
import { Time } from '../../components/values/time.tsx';
import { PlatformExport } from '../allowed.tsx';
import { useMerchantName } from '../lookups.ts';
import { OrderLink } from '../orders/order-link.tsx';

interface OfOrder {
  order_no: string;
  merchant_no: string;
}

const filters = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Complaints',
    choices: [
      ['open', 'Open'],
      ['dismissed', 'Dismissed'],
      ['confirmed', 'Confirmed'],
      ['closed', 'Closed'],
    ],
  },
] as const;

export function LossesScreen() {
  const [view] = useView();
  const query = pick(view, ['status']);
  const complaints = useAdminList<ListedComplaint>('/complaints', query);
  const refunds = useAdminList<ListedRefund>('/refunds');
  const nameOf = useMerchantName();
  const order: Column<OfOrder> = {
    header: 'Order',
    wide: true,
    cell: ({ order_no }) => <OrderLink order_no={order_no} bold />,
  };
  const merchant: Column<OfOrder> = { header: 'Merchant', cell: ({ merchant_no }) => nameOf(merchant_no) };
  const complaintColumns: Column<ListedComplaint>[] = [
    order,
    { header: 'Status', cell: ({ status }) => <Status value={status} /> },
    merchant,
    { header: 'Raised by', cell: ({ source }) => words(source) },
    { header: 'Why', cell: ({ reason }) => <span className="wrap">{reason}</span> },
    {
      header: 'Lost',
      end: true,
      cell: ({ loss_amount, currency }) =>
        loss_amount === null ? '–' : <Amount amount={loss_amount} currency={currency} />,
    },
    { header: 'Opened', cell: ({ opened_at }) => <Time at={opened_at} show="ago" /> },
  ];
  const refundColumns: Column<ListedRefund>[] = [
    order,
    { header: 'Status', cell: ({ status }) => <Status value={status} /> },
    merchant,
    {
      header: 'Amount',
      end: true,
      cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    },
    { header: 'Requested', cell: ({ requested_at }) => <Time at={requested_at} /> },
  ];
  return (
    <Page
      title="Complaints and refunds"
      about="What buyers and their banks dispute, and what went back. Each is decided on the page of its order."
    >
      <Panel
        title="Complaints and disputes"
        actions={<PlatformExport path="/admin/v1/complaints" query={query} />}
      >
        <Filters filters={filters} />
        <DataTable
          name="Complaints and disputes"
          columns={complaintColumns}
          rows={complaints.rows}
          list={complaints}
          rowKey={({ complaint_id }) => complaint_id}
          empty={<Empty title="No complaints">Nobody disputes a payment.</Empty>}
        />
      </Panel>
      <Panel title="Refunds">
        <DataTable
          name="Refunds"
          columns={refundColumns}
          rows={refunds.rows}
          list={refunds}
          rowKey={({ refund_id }) => refund_id}
          empty={<Empty title="No refunds yet" />}
        />
      </Panel>
    </Page>
  );
}
