import { SimpleGrid, Timeline } from '@mantine/core';
import type { OrderStory } from '../api/order-detail.ts';
import { Panel } from '../components/page/panel.tsx';
import { Identifier } from '../components/values/copy-button.tsx';
import { Facts } from '../components/values/facts.tsx';
import { Amount, Ptk } from '../components/values/money.tsx';
import { words } from '../components/values/status.tsx';
import { Time } from '../components/values/time.tsx';

/** What was ordered, what it costs each side, and its status. */
export function SummaryPart({ story }: { story: OrderStory }) {
  const { order } = story;
  const inPayment = (amount: string | undefined) =>
    amount === undefined || order.payment_currency === undefined ? undefined : (
      <Amount amount={amount} currency={order.payment_currency} />
    );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" mb="lg">
      <Panel title="Amounts">
        <Facts
          of={[
            ['Ordered', <Amount key="amount" amount={order.amount} currency={order.currency} />],
            ['Buyer’s fee', inPayment(order.buyer_fee)],
            ['The buyer pays', inPayment(order.payment_amount)],
            ['Merchant’s fee', inPayment(order.merchant_fee)],
            ['The same in PTK', <Ptk key="fee" minor={order.merchant_fee_ptk} />],
            ['Before fees', <Ptk key="gross" minor={order.gross_settlement_ptk} />],
            [
              'Settled',
              order.settlement_ptk === undefined ? undefined : <Ptk key="net" minor={order.settlement_ptk} />,
            ],
            [
              'Locked rate',
              order.ptk_price === undefined || order.ptk_price === null
                ? undefined
                : `1 PTK = ${order.ptk_price.replace(/\.?0+$/, '')} ${order.currency}`,
            ],
          ]}
        />
      </Panel>
      <Panel title="What happened">
        <Timeline bulletSize={16} lineWidth={2} active={99}>
          {story.moments.map(({ title, at, about }, index) => (
            <Timeline.Item key={index} title={title}>
              {about !== undefined && <div className="wrap">{about}</div>}
              <Time at={at} />
            </Timeline.Item>
          ))}
        </Timeline>
      </Panel>
      <Panel title="Order">
        <Facts
          of={[
            ['Order number', <Identifier key="no" value={order.order_no} name="order number" />],
            ['Reference', <Identifier key="ref" value={order.external_reference} name="reference" />],
            ['Description', order.description === '' ? undefined : order.description],
            ['Created', <Time key="created" at={order.created_at} />],
            ['Can be paid until', <Time key="expires" at={order.expires_at} />],
            ['Returns to', order.return_url],
            ['Fees', words(order.fee_status)],
          ]}
        />
      </Panel>
      <Panel title="Identifiers">
        <Facts
          of={[
            ['Channel', idOf(order.payment_no, 'channel number')],
            ['Trade number', idOf(order.provider_trade_no, 'trade number')],
            ['Payment event', idOf(order.event_id, 'event number')],
            ['Idempotency key', idOf(order.idempotency_key, 'key')],
            ['Status version', String(order.status_version)],
          ]}
        />
      </Panel>
    </SimpleGrid>
  );
}

const idOf = (value: string | undefined, name: string) =>
  value === undefined || value === '' ? undefined : <Identifier value={value} name={name} />;
