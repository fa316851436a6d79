import { IconGavel, IconReceiptRefund } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParam } from '../components/view-state.ts';
import { adminCall, adminQuery, type Complaint, type OrderDetail, type Refund } from '../api/admin.ts';
import { part } from '../api/call.ts';
import type { OrderStory } from '../api/order-detail.ts';
import { ActionButton } from '../components/action-dialog.tsx';
import { Identifier } from '../components/copy-button.tsx';
import { reasonField, textOf } from '../components/fields.ts';
import { AppLink } from '../components/link.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Status } from '../components/status.tsx';
import { MoneyPart } from '../order/money-part.tsx';
import { OrderParts } from '../order/order-parts.tsx';
import { timelineOf } from '../order/timeline.ts';
import { LossesPanel } from './losses-panel.tsx';
import { useMerchantName } from './names.ts';

type Story = Pick<OrderStory, 'order' | 'quotes' | 'attempts' | 'notifications'> &
  Omit<OrderDetail, 'order' | 'quotes' | 'attempts' | 'notifications'>;

/** One order across all merchants, and what an administrator can do about it. */
export function PlatformOrderScreen() {
  const order_no = useParam('order_no');
  const detail = useQuery(adminQuery<Story>(`/collection-orders/${part(order_no)}`));
  const nameOf = useMerchantName();
  const story = detail.data;
  return (
    <Page
      title={story?.order.external_reference ?? 'Order'}
      above={<AppLink to="/platform/orders">Orders</AppLink>}
      beside={story !== undefined && <Status value={story.order.status} />}
      about={
        story === undefined ? undefined : (
          <>
            <Identifier value={order_no} name="order number" /> ·{' '}
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
            story={{ ...known, hold: known.money.hold, moments: timelineOf(known), raw: known }}
            money={<MoneyPart postings={known.postings} money={known.money} />}
            extra={<LossesPanel story={known} />}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ story }: { story: Story }) {
  const { order_no, payment_amount, payment_currency, status } = story.order;
  if (status !== 'paid') return null;
  const total = `${payment_amount ?? ''} ${payment_currency ?? ''}`;
  return (
    <>
      <ActionButton
        label="Refund"
        icon={<IconReceiptRefund size={16} />}
        title="Refund the whole order"
        confirm={`Refund ${total}`}
        danger
        fields={[reasonField]}
        consequences={() => [
          `The buyer gets ${total} back, fee included.`,
          'The merchant’s settlement of this order is taken from its held or available balance.',
          'A refund cannot be taken back.',
        ]}
        submit={(values) =>
          adminCall<Refund>('POST', `/collection-orders/${part(order_no)}/refunds`, {
            body: { reason: textOf(values, 'reason') },
          })
        }
        done={({ status: outcome }) => `The refund is ${outcome}.`}
      />
      <ActionButton
        label="Complaint"
        icon={<IconGavel size={16} />}
        title="Open a complaint"
        confirm="Open"
        fields={[reasonField]}
        consequences={() => [
          'The settlement of this order is frozen until you decide.',
          'The buyer is not paid yet.',
        ]}
        submit={(values) =>
          adminCall<Complaint>('POST', `/collection-orders/${part(order_no)}/complaints`, {
            body: { reason: textOf(values, 'reason') },
          })
        }
        done={() => 'The complaint is open.'}
      />
    </>
  );
}
