/** The screen of one collection order, across all merchants, with the actions of administrators. */
import { useQuery } from '@tanstack/react-query';
import { adminQuery, type OrderDetail } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import type { OrderStory } from '../../api/order-detail.ts';
import { useParam } from '../../components/list/view-state.ts';
import { AppLink } from '../../components/page/link.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { Page } from '../../components/page/page.tsx';
import { Identifier } from '../../components/values/copy-button.tsx';
import { MarkedStatus } from '../../components/values/test-mark.tsx';
import { amountText } from '../../money/money.ts';
import { isDisputed } from '../../order/hold.tsx';
import { MoneyPart } from '../../order/money-part.tsx';
import { OrderParts } from '../../order/order-parts.tsx';
import { momentsOf } from '../../order/timeline.ts';
import { LossesPanel } from '../losses/losses-panel.tsx';
import { useMerchantName } from '../lookups.ts';
import { OrderActions } from './order-actions.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

type Story = Pick<OrderStory, 'order' | 'quotes' | 'attempts' | 'notifications'> &
  Omit<OrderDetail, 'order' | 'quotes' | 'attempts' | 'notifications'>;

export function PlatformOrderScreen() {
  const order_no = useParam('order_no');
  const detail = useQuery(adminQuery<Story>(`/collection-orders/${part(order_no)}`));
  const nameOf = useMerchantName();
  const story = detail.data;
  return (
    <Page
      title={story?.order.external_reference ?? t('order')}
      above={<AppLink to="/platform/orders">{t('orders')}</AppLink>}
      beside={story !== undefined && <MarkedStatus value={story.order.status} test={story.order.test_mode} />}
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
      actions={story !== undefined && <Actions story={story} />}
    >
      <Loaded of={detail} lines={8}>
        {(known) => (
          <OrderParts
            story={{ ...known, hold: known.money.hold, moments: momentsOf(known), raw: known }}
            money={<MoneyPart postings={known.postings} money={known.money} />}
            first={waits(known) && <LossesPanel story={known} />}
            extra={!waits(known) && <LossesPanel story={known} />}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** Whether a person has to decide on a dispute or a case of the order: then both stand at the top (D-751). */
const waits = ({ complaints, cases }: Story): boolean =>
  isDisputed(complaints) || cases.some(({ state }) => state === 'open');

function Actions({ story }: { story: Story }) {
  const { order_no, payment_amount, payment_currency, status } = story.order;
  if (status !== 'paid') return null;
  const total = amountText(payment_amount ?? '', payment_currency ?? '');
  // P21 gave a top-up to the wallet of its person.
  const isTopUp = story.postings.some(({ posting }) => posting === 'P21');
  return <OrderActions at="collection-orders" order_no={order_no} total={total} isTopUp={isTopUp} />;
}
