/** The complaints, disputes and refunds of all merchants. They are decided on the page of their order. */
import { type ListedComplaint, type ListedRefund, useAdminList } from '../../api/admin.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { Filters } from '../../components/list/filters.tsx';
import { pick, useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Amount } from '../../components/values/money.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { Time } from '../../components/values/time.tsx';
import { PlatformExport } from '../allowed.tsx';
import { DisputeQueue } from '../bank-disputes/dispute-queue.tsx';
import { disputeOutcome } from '../../order/dispute-outcome.ts';
import { useMerchantName } from '../lookups.ts';
import { OrderLink } from '../orders/order-link.tsx';
import { textsOf } from '../../texts/texts.ts';
import { complaintReason } from './complaint-reason.ts';
import { Lost } from './lost.tsx';

const t = textsOf('platform-orders');

interface OfOrder {
  order_no: string;
  merchant_no: string;
}

const filters = [
  {
    kind: 'choice',
    name: 'status',
    label: t('disputes_2'),
    choices: [
      ['open', t('open')],
      ['dismissed', t('dismissed_2')],
      ['confirmed', t('accepted')],
      ['closed', t('closed')],
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
    header: t('order'),
    wide: true,
    cell: ({ order_no }) => <OrderLink order_no={order_no} bold />,
  };
  const merchant: Column<OfOrder> = { header: t('merchant'), cell: ({ merchant_no }) => nameOf(merchant_no) };
  const complaintColumns: Column<ListedComplaint>[] = [
    order,
    {
      header: t('status'),
      cell: (complaint) => <MarkedStatus value={disputeOutcome(complaint)} test={complaint.test_mode} />,
    },
    merchant,
    {
      header: t('reason_2'),
      cell: (complaint) => <span className="wrap">{complaintReason(complaint) ?? t('bank_dispute')}</span>,
    },
    {
      header: t('lost'),
      end: true,
      cell: (complaint) => <Lost of={complaint} />,
    },
    { header: t('opened'), cell: ({ opened_at }) => <Time at={opened_at} show="ago" /> },
  ];
  const refundColumns: Column<ListedRefund>[] = [
    order,
    {
      header: t('status'),
      cell: ({ status, test_mode }) => <MarkedStatus value={status} test={test_mode} />,
    },
    merchant,
    {
      header: t('amount'),
      end: true,
      cell: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    },
    { header: t('requested_2'), cell: ({ requested_at }) => <Time at={requested_at} /> },
  ];
  return (
    <Page title={t('disputes_and_refunds')} about={t('disputes_by_buyers_and_their_banks')}>
      <DisputeQueue />
      <Panel title={t('disputes')} actions={<PlatformExport path="/admin/v1/complaints" query={query} />}>
        <Filters filters={filters} label={t('disputes')} />
        <DataTable
          name={t('disputes')}
          columns={complaintColumns}
          rows={complaints.rows}
          list={complaints}
          rowKey={({ complaint_id }) => complaint_id}
          empty={<Empty title={t('no_disputes')}>{t('disputes_by_buyers_and_their_banks_2')}</Empty>}
        />
      </Panel>
      <Panel title={t('refunds')} actions={<PlatformExport path="/admin/v1/refunds" />}>
        <DataTable
          name={t('refunds')}
          columns={refundColumns}
          rows={refunds.rows}
          list={refunds}
          rowKey={({ refund_id }) => refund_id}
          empty={<Empty title={t('no_refunds_yet')}>{t('refund_an_order_on_its_page')}</Empty>}
        />
      </Panel>
    </Page>
  );
}
