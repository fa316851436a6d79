import { SimpleGrid, Text, Timeline } from '@mantine/core';
import type { OrderStory } from '../api/order-detail.ts';
import { Panel } from '../components/page/panel.tsx';
import { Identifier } from '../components/values/copy-button.tsx';
import { Facts } from '../components/values/facts.tsx';
import { words } from '../components/values/status.tsx';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';
import { AmountsPanel } from './amounts.tsx';

const t = textsOf('order');

/** What was ordered, what it costs each side, and its status. */
export function SummaryPart({ story }: { story: OrderStory }) {
  const { order } = story;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" mb="lg">
      <AmountsPanel
        order={order}
        quotes={story.quotes}
        complaints={story.complaints}
        result_ptk={story.result_ptk}
      />
      <Panel title={t('history')}>
        {/* A list also for those who do not see the line (D-1351). */}
        <Timeline bulletSize={16} lineWidth={2} active={99} role="list">
          {story.moments.map(({ title, at, about, provider_at }, index) => (
            <Timeline.Item key={index} title={title} role="listitem">
              {about !== undefined && <div className="wrap">{about}</div>}
              <Time at={at} show="second" />
              {provider_at !== undefined && (
                <Text size="xs" c="dimmed">
                  {t.rich('by_the_providers_clock_time', { time: <Time at={provider_at} show="second" /> })}
                </Text>
              )}
            </Timeline.Item>
          ))}
        </Timeline>
      </Panel>
      <Panel title={t('order')}>
        <Facts
          of={[
            [t('order_number'), <Identifier key="no" value={order.order_no} name={t('order_number_2')} />],
            [
              t('reference'),
              <Identifier key="ref" value={order.external_reference} name={t('reference_2')} />,
            ],
            [t('description'), order.description === '' ? undefined : order.description],
            [t('created'), <Time key="created" at={order.created_at} show="second" />],
            [t('expires'), <Time key="expires" at={order.expires_at} />],
            [t('return_address'), order.return_url],
            [t('fees'), words(order.fee_status)],
          ]}
        />
      </Panel>
      <Panel title={t('identifiers')}>
        <Facts
          of={[
            [t('channel'), idOf(order.payment_no, t('channel_id'))],
            [t('provider_reference'), idOf(order.provider_trade_no, t('provider_reference_2'))],
            [t('payment_event'), idOf(order.event_id, t('event_id'))],
            [t('idempotency_key'), idOf(order.idempotency_key, t('idempotency_key'))],
            [t('status_version'), String(order.status_version)],
          ]}
        />
      </Panel>
    </SimpleGrid>
  );
}

const idOf = (value: string | undefined, name: string) =>
  value === undefined || value === '' ? undefined : <Identifier value={value} name={name} />;
