/** The screen of catalog orders: what was sold, and what is still to be delivered. */
import { Stack, Text } from '@mantine/core';
import { IconPackageExport } from '@tabler/icons-react';
import { answerOf, api, type components } from '../../api/client.ts';
import { useList } from '../../api/list.ts';
import { merchantPath } from '../../api/merchants.ts';
import { ActionButton } from '../../components/dialog/action-dialog.tsx';
import { optional } from '../../components/dialog/fields.ts';
import { CsvExport } from '../../components/list/csv-export.tsx';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { type Filter, Filters } from '../../components/list/filters.tsx';
import { useView } from '../../components/list/view-state.ts';
import { Empty } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Amount } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { priceOf } from '../../money/fixed8.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';

type SoldOrder = components['schemas']['SoldCatalogOrder'];

const statuses = ['Waiting for payment', 'Paid, to be delivered', 'Cancelled', 'Completed'] as const;
const tones = ['pending', 'review', 'cancelled', 'completed'] as const;

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'Status',
    choices: statuses.map((label, status) => [String(status), label] as const),
  },
];

export function CatalogOrdersScreen() {
  const merchant_no = useMerchantNo();
  const mayWrite = useMayWrite('orders');
  const [view] = useView();
  const query = view.status === undefined ? {} : { status: Number(view.status) };
  const list = useList<SoldOrder>(['merchant', merchant_no, 'catalog-orders', query], (page, signal) =>
    answerOf(
      api.GET('/console/v1/merchants/{merchant_no}/catalog-orders', {
        params: { path: { merchant_no }, query: { ...query, ...page } },
        signal,
      }),
    ),
  );
  const columns: Column<SoldOrder>[] = [
    {
      header: 'Order',
      wide: true,
      cell: ({ title, order_no }) => (
        <>
          <Text fw={600} size="sm" className="wrap">
            {title}
          </Text>
          <Identifier value={order_no} name="order number" />
        </>
      ),
    },
    { header: 'Quantity', end: true, cell: ({ quantity }) => quantity },
    {
      header: 'Status',
      cell: ({ status, reversed }) => (
        <Status
          value={reversed ?? tones[status] ?? 'pending'}
          label={reversed === null ? statuses[status] : undefined}
        />
      ),
    },
    { header: 'Deliver to', wide: true, cell: ({ other_ipu }) => <DeliverTo inputs={other_ipu} /> },
    {
      header: 'Paid',
      end: true,
      cell: ({ pay_amount, currency, currency_decimals }) => (
        <Amount amount={priceOf(pay_amount, currency_decimals)} currency={currency} />
      ),
    },
    {
      header: 'Created',
      cell: ({ created_at }) => <span className="when">{created_at.slice(0, 16)} UTC</span>,
    },
    {
      header: 'Delivery',
      cell: (order) =>
        order.status === 1 && mayWrite ? <Fulfil order={order} merchant_no={merchant_no} /> : '–',
    },
  ];
  return (
    <Page
      title="Catalog orders"
      about="What was sold from your catalog. What is paid and not completed waits for you to deliver it."
      actions={<CsvExport path={merchantPath(merchant_no, '/catalog-orders')} query={query} />}
    >
      <Filters filters={filters} />
      <DataTable
        name="Catalog orders"
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ order_no }) => order_no}
        empty={<Empty title="No catalog orders">Programs order your products for their people.</Empty>}
      />
    </Page>
  );
}

const DeliverTo = ({ inputs }: { inputs: SoldOrder['other_ipu'] }) => {
  const entries = Object.entries(inputs);
  return entries.length === 0 ? (
    <>–</>
  ) : (
    <Stack gap={2}>
      {entries.map(([name, value]) => (
        <Text key={name} size="sm" className="wrap">
          <Text span c="dimmed" size="sm">
            {name}:
          </Text>{' '}
          {value}
        </Text>
      ))}
    </Stack>
  );
};

function Fulfil({ order, merchant_no }: { order: SoldOrder; merchant_no: string }) {
  return (
    <ActionButton
      label="Mark as delivered"
      size="xs"
      icon={<IconPackageExport size={14} />}
      title={`${order.quantity} × ${order.title}`}
      confirm="It was delivered"
      fields={[
        {
          name: 'note',
          label: 'Tell the buyer',
          kind: 'lines',
          about: 'Shown on their page. It may hold what you deliver: it is kept sealed.',
        },
      ]}
      consequences={() => ['The order is completed, once and for all.']}
      submit={(values) =>
        answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/catalog-orders/{order_no}/fulfilment', {
            params: { path: { merchant_no, order_no: order.order_no } },
            body: optional(values, 'note'),
          }),
        )
      }
      done={() => 'Completed.'}
      refresh={['merchant', merchant_no, 'catalog-orders']}
    />
  );
}
