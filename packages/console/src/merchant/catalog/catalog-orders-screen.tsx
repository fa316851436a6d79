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
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { priceOf } from '../../money/fixed8.ts';
import { useMayWrite, useMerchantNo } from '../merchant-no.ts';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('catalog');

type SoldOrder = components['schemas']['SoldCatalogOrder'];

const statuses = [
  t('waiting_for_payment'),
  t('paid_to_be_delivered'),
  t('cancelled'),
  t('completed'),
] as const;
const tones = ['pending', 'review', 'cancelled', 'completed'] as const;

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('status'),
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
      header: t('order'),
      wide: true,
      cell: ({ title, order_no }) => (
        <>
          <Text fw={600} size="sm" className="wrap">
            {title}
          </Text>
          <Identifier value={order_no} name={t('order_number')} />
        </>
      ),
    },
    { header: t('quantity'), end: true, cell: ({ quantity }) => quantity },
    {
      header: t('status'),
      cell: ({ status, reversed, test_mode }) => (
        <MarkedStatus
          value={reversed ?? tones[status] ?? 'pending'}
          label={reversed === null ? statuses[status] : undefined}
          test={test_mode}
        />
      ),
    },
    {
      header: t('deliver_to'),
      wide: true,
      cell: ({ other_ipu, made_again }) => <DeliverTo inputs={other_ipu} lost={made_again} />,
    },
    {
      header: t('paid'),
      end: true,
      cell: ({ pay_amount, currency, currency_decimals }) => (
        <Amount amount={priceOf(pay_amount, currency_decimals)} currency={currency} />
      ),
    },
    {
      header: t('created'),
      cell: ({ created_at }) => <Time at={`${created_at.replace(' ', 'T')}Z`} />,
    },
    {
      header: t('delivery'),
      cell: (order) =>
        order.status === 1 && mayWrite ? <Fulfil order={order} merchant_no={merchant_no} /> : '–',
    },
  ];
  return (
    <Page
      title={t('catalog_orders')}
      about={t('orders_from_your_catalog_orders_that')}
      actions={<CsvExport path={merchantPath(merchant_no, '/catalog-orders')} query={query} />}
    >
      <Filters filters={filters} />
      <DataTable
        name={t('catalog_orders')}
        columns={columns}
        rows={list.rows}
        list={list}
        rowKey={({ order_no }) => order_no}
        empty={<Empty title={t('no_catalog_orders_yet')}>{t('apps_order_your_products_on_behalf')}</Empty>}
      />
    </Page>
  );
}

const DeliverTo = ({ inputs, lost }: { inputs: SoldOrder['other_ipu']; lost: boolean }) => {
  if (lost) return <Text size="sm">{t('lost_in_a_restore')}</Text>;
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
      label={t('mark_as_delivered')}
      size="xs"
      icon={<IconPackageExport size={14} />}
      title={`${order.quantity} × ${order.title}`}
      confirm={t('mark_as_delivered_2')}
      fields={[
        {
          name: 'note',
          label: t('message_to_the_buyer'),
          kind: 'lines',
          about: t('shown_on_the_buyers_order_page'),
        },
      ]}
      consequences={() => [t('the_order_is_completed_this_cannot')]}
      submit={(values) =>
        answerOf(
          api.POST('/console/v1/merchants/{merchant_no}/catalog-orders/{order_no}/fulfilment', {
            params: { path: { merchant_no, order_no: order.order_no } },
            body: optional(values, 'note'),
          }),
        )
      }
      done={() => t('completed_2')}
      refresh={['merchant', merchant_no, 'catalog-orders']}
    />
  );
}
