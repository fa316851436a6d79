import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import type { ConsoleOrderDetail } from '../../api/merchants.ts';
import type { OrderStory } from '../../api/order-detail.ts';
import { DataTable } from '../../components/list/data-table.tsx';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Empty, Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Change } from '../../components/values/money.tsx';
import { Sum } from '../../components/values/sum.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { OrderParts } from '../../order/order-parts.tsx';
import { resultOf } from '../../order/left-in-wallet.ts';
import { momentsOf } from '../../order/timeline.ts';
import { useMerchantNo } from '../merchant-no.ts';
import { NotesPanel } from './notes-panel.tsx';
import { RefundNote } from './refund-note.tsx';
import { lineColumns } from '../wallet/line-columns.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

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
      title={detail.data?.order.external_reference ?? t('order')}
      above={
        <AppLink to="/console/merchants/$merchant_no/orders" params={{ merchant_no }}>
          {t('orders')}
        </AppLink>
      }
      beside={
        detail.data !== undefined && (
          <MarkedStatus value={detail.data.order.status} test={detail.data.order.test_mode} />
        )
      }
      about={<Identifier value={order_no} name={t('order_number')} />}
    >
      <Loaded of={detail} lines={8}>
        {(known) => (
          <OrderParts
            story={storyOf(known)}
            money={<Money money={known.money} />}
            extra={
              <>
                <NotesPanel merchant_no={merchant_no} order_no={order_no} />
                {/* Only a paid order can be refunded (D-1481). */}
                {known.order.status === 'paid' && <RefundNote order_no={order_no} />}
              </>
            }
          />
        )}
      </Loaded>
    </Page>
  );
}

function storyOf(detail: ConsoleOrderDetail): OrderStory {
  const { order, quotes, attempts, money, complaints, notifications } = detail;
  return {
    order,
    quotes,
    attempts,
    hold: money.hold,
    complaints,
    result_ptk: resultOf(money.lines),
    notifications,
    moments: momentsOf(detail),
    raw: detail,
  };
}

/** The movements on the merchant's own accounts, and what they come to. */
const Money = ({ money: { lines } }: Pick<ConsoleOrderDetail, 'money'>) => (
  <Panel title={t('postings')} about={t('every_posting_on_your_accounts_for')}>
    <DataTable
      name={t('postings_2')}
      columns={lineColumns}
      rows={lines}
      rowKey={({ line_id }) => line_id}
      empty={<Empty title={t('no_postings_yet')} />}
    />
    {lines.length > 0 && (
      <Sum
        name={t('total')}
        of={[{ name: t('net_of_these_postings'), value: <Change change={resultOf(lines)} />, sign: '=' }]}
      />
    )}
  </Panel>
);
