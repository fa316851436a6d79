import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import type { ConsoleOrderDetail } from '../../api/merchants.ts';
import type { OrderStory } from '../../api/order-detail.ts';
import { type Column, DataTable } from '../../components/list/data-table.tsx';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Ptk } from '../../components/values/money.tsx';
import { Status } from '../../components/values/status.tsx';
import { OrderParts } from '../../order/order-parts.tsx';
import { useMerchantNo } from '../merchant-no.ts';
import { NotesPanel } from './notes-panel.tsx';
import { RefundNote } from './refund-note.tsx';
import { lineColumns } from '../wallet/line-columns.tsx';

/** One order of this merchant with its whole history. */
export function OrderScreen() {
  const merchant_no = useMerchantNo();
  const order_no = useParam('order_no');
  const detail = useQuery({
    queryKey: ['merchant', merchant_no, 'orders', order_no],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/console/v1/merchants/{merchant_no}/collection-orders/{order_no}', {
          params: { path: { merchant_no, order_no } },
          signal,
        }),
      ),
  });
  return (
    <Page
      title={detail.data?.order.external_reference ?? 'Order'}
      above={
        <AppLink to="/console/merchants/$merchant_no/orders" params={{ merchant_no }}>
          Orders
        </AppLink>
      }
      beside={detail.data !== undefined && <Status value={detail.data.order.status} />}
      about={<Identifier value={order_no} name="order number" />}
    >
      <Loaded of={detail} lines={8}>
        {(known) => (
          <OrderParts
            story={storyOf(known)}
            money={<Money money={known.money} />}
            extra={
              <>
                <NotesPanel merchant_no={merchant_no} order_no={order_no} />
                <RefundNote order_no={order_no} />
              </>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function storyOf(detail: ConsoleOrderDetail): OrderStory {
  const { order, quotes, attempts, money, notifications, timeline } = detail;
  return {
    order,
    quotes,
    attempts,
    hold: money.hold,
    notifications,
    moments: timeline.map(({ at, what, status_version }) => ({
      at,
      title: what,
      ...(status_version === null ? {} : { about: `Status version ${status_version}` }),
    })),
    raw: detail,
  };
}

type Total = ConsoleOrderDetail['money']['totals'][number];

const totalColumns: Column<Total>[] = [
  { header: 'What it is', wide: true, cell: ({ about }) => about },
  { header: 'Amount', end: true, cell: ({ amount_ptk }) => <Ptk minor={amount_ptk} /> },
];

/** The movements on the merchant's own accounts, and their sum. */
const Money = ({ money }: Pick<ConsoleOrderDetail, 'money'>) => (
  <Stack gap="lg">
    <Panel
      title="Line by line"
      about="What moved on your accounts because of this order, in the order in which it happened."
    >
      <DataTable
        name="Movements"
        columns={lineColumns}
        rows={money.lines}
        rowKey={({ line_id }) => line_id}
        empty={<Empty title="No money has moved yet" />}
      />
    </Panel>
    <Panel title="What it comes to">
      <DataTable
        name="Totals"
        columns={totalColumns}
        rows={money.totals}
        rowKey={({ total }) => total}
        empty={<Empty title="Nothing yet" />}
      />
    </Panel>
  </Stack>
);
