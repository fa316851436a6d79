/** One order in full, for both consoles. */
import { Tabs } from '@mantine/core';
import { IconBell, IconBraces, IconCoins, IconCreditCard, IconFileInvoice } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OrderStory } from '../api/order-detail.ts';
import { pick, useView } from '../components/list/view-state.ts';
import { RawJson } from '../components/values/raw-json.tsx';
import { Hold, isDisputed, UnconfirmedPayment } from './hold.tsx';
import { NotificationsPart } from './notifications-part.tsx';
import { AttemptsPart, QuotesPart } from './payment-part.tsx';
import { isReversed } from './left-in-wallet.ts';
import { SummaryPart } from './summary-part.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

const icon = { size: 16, stroke: 1.7 } as const;

interface OrderPartsProps {
  story: OrderStory;
  /** The money of the order: each console shows its own side. */
  money: ReactNode;
  /** Shown above the summary: what waits for a decision (D-751). */
  first?: ReactNode;
  /** Shown below the summary. */
  extra?: ReactNode;
}

/** The parts of an order as tabs; the address holds which one is open. */
export function OrderParts({ story, money, first, extra }: OrderPartsProps) {
  const [view, change] = useView();
  const { tab = 'order' } = pick(view, ['tab']);
  const hold = (
    <Hold hold={story.hold} complaints={story.complaints} reversed={isReversed(story.order.status)} />
  );
  return (
    <Tabs
      value={tab}
      onChange={(value) => change({ tab: value === 'order' ? '' : (value ?? '') })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="order" leftSection={<IconFileInvoice {...icon} />}>
          {t('order')}
        </Tabs.Tab>
        <Tabs.Tab value="payment" leftSection={<IconCreditCard {...icon} />}>
          {t('payment')}
        </Tabs.Tab>
        <Tabs.Tab value="money" leftSection={<IconCoins {...icon} />}>
          {t('money')}
        </Tabs.Tab>
        <Tabs.Tab value="notifications" leftSection={<IconBell {...icon} />}>
          {t('webhooks')}
        </Tabs.Tab>
        <Tabs.Tab value="json" leftSection={<IconBraces {...icon} />}>
          JSON
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="order">
        {isDisputed(story.complaints) && hold}
        {first}
        <UnconfirmedPayment order={story.order} attempts={story.attempts} />
        <SummaryPart story={story} />
        {extra}
      </Tabs.Panel>
      <Tabs.Panel value="payment">
        <AttemptsPart attempts={story.attempts} />
        <QuotesPart quotes={story.quotes} />
      </Tabs.Panel>
      <Tabs.Panel value="money">
        {hold}
        {money}
      </Tabs.Panel>
      <Tabs.Panel value="notifications">
        <NotificationsPart notifications={story.notifications} />
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <RawJson value={story.raw} name={t('order_as_json')} />
      </Tabs.Panel>
    </Tabs>
  );
}
