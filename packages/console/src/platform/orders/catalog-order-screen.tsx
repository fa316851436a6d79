/** The screen of one catalog order, across all merchants. */
import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type OrderDetail } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import type { OrderStory } from '../../api/order-detail.ts';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { Facts } from '../../components/values/facts.tsx';
import { Amount } from '../../components/values/money.tsx';
import { RawJson } from '../../components/values/raw-json.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { Time } from '../../components/values/time.tsx';
import { type Fixed8, priceOf } from '../../money/fixed8.ts';
import { amountText } from '../../money/money.ts';
import { Hold } from '../../order/hold.tsx';
import { MoneyPart } from '../../order/money-part.tsx';
import { AttemptsPart, QuotesPart } from '../../order/payment-part.tsx';
import { LossesPanel } from '../losses/losses-panel.tsx';
import { useMerchantName } from '../lookups.ts';
import { OrderActions } from './order-actions.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

/** What administrators see of a catalog order, besides its payment. */
interface CatalogOrder {
  order_no: string;
  gd_no: string;
  title: string;
  quantity: number;
  state: string;
  reversed: string | null;
  currency: string;
  currency_decimals: number;
  total_amount: Fixed8;
  payment_currency: string;
  payment_currency_decimals: number;
  payment_pay_amount: Fixed8;
  other_ipu: Readonly<Record<string, string>>;
  user_id: string;
  test_mode: boolean;
  client_id: string;
  provider_trade_no: string | null;
  expires_at: string;
  paid_at: string | null;
  completed_at: string | null;
}

type Story = Pick<OrderStory, 'quotes' | 'attempts'> &
  Pick<OrderDetail, 'merchant_no' | 'postings' | 'money' | 'refunds' | 'complaints' | 'cases'> & {
    order: CatalogOrder;
  };

const paidOf = (order: CatalogOrder): string =>
  priceOf(order.payment_pay_amount, order.payment_currency_decimals);

export function PlatformCatalogOrderScreen() {
  const order_no = useParam('order_no');
  const detail = useQuery(adminQuery<Story>(`/catalog-orders/${part(order_no)}`));
  const nameOf = useMerchantName();
  const story = detail.data;
  const canBeTakenBack =
    story !== undefined && ['paid', 'completed'].includes(story.order.state) && story.order.reversed === null;
  return (
    <Page
      title={story?.order.title ?? t('catalog_order')}
      above={<AppLink to="/platform/orders">{t('orders')}</AppLink>}
      beside={
        story !== undefined && (
          <MarkedStatus value={story.order.reversed ?? story.order.state} test={story.order.test_mode} />
        )
      }
      about={
        story === undefined ? undefined : (
          <>
            <Identifier value={order_no} name={t('order_number')} /> ·{' '}
            <AppLink to="/platform/merchants/$merchant_no" params={{ merchant_no: story.merchant_no }}>
              {nameOf(story.merchant_no)}
            </AppLink>
          </>
        )
      }
      actions={
        canBeTakenBack && (
          <OrderActions
            at="catalog-orders"
            order_no={order_no}
            total={amountText(paidOf(story.order), story.order.payment_currency)}
          />
        )
      }
    >
      <Loaded of={detail} lines={8}>
        {(known) => (
          <Stack gap="lg">
            <LossesPanel story={known} />
            <Summary order={known.order} />
            <Hold
              hold={known.money.hold}
              complaints={known.complaints}
              reversed={known.order.reversed !== null}
            />
            <MoneyPart postings={known.postings} money={known.money} />
            <AttemptsPart attempts={known.attempts} />
            <QuotesPart quotes={known.quotes} />
            <Panel title="JSON">
              <RawJson value={known} name={t('order_as_json')} />
            </Panel>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const Summary = ({ order }: { order: CatalogOrder }) => (
  <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
    <Panel title={t('order')}>
      <Facts
        of={[
          [t('product'), <Identifier key="product" value={order.gd_no} name={t('product_id')} />],
          [t('quantity'), String(order.quantity)],
          [
            t('ordered_for'),
            <Amount
              key="total"
              amount={priceOf(order.total_amount, order.currency_decimals)}
              currency={order.currency}
            />,
          ],
          [t('buyer_pays'), <Amount key="paid" amount={paidOf(order)} currency={order.payment_currency} />],
          ...Object.entries(order.other_ipu).map(
            ([name, value]) => [t('answer_name', { name }), value] as const,
          ),
        ]}
      />
    </Panel>
    <Panel title={t('people_and_times')}>
      <Facts
        of={[
          [t('buyer'), <Identifier key="user" value={order.user_id} name={t('user_id')} />],
          [t('api_key'), <Identifier key="client" value={order.client_id} name={t('client_id')} />],
          [t('provider_reference'), order.provider_trade_no ?? '–'],
          [t('expires'), <Time key="expires" at={order.expires_at} />],
          [t('paid'), <Time key="paid" at={order.paid_at} />],
          [t('completed'), <Time key="completed" at={order.completed_at} />],
        ]}
      />
    </Panel>
  </SimpleGrid>
);
