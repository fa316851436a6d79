/** What an administrator can do about a paid order of either kind. */
import { IconGavel, IconReceiptRefund } from '@tabler/icons-react';
import { adminCall, type Complaint, type Refund } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { reasonField, textOf } from '../../components/dialog/fields.ts';

interface OrderActionsProps {
  /** The path of the orders of this kind. */
  at: 'collection-orders' | 'catalog-orders';
  order_no: string;
  /** The amount that the buyer has paid, with its currency. */
  total: string;
}

/** Refunds the whole order, or opens a complaint, which freezes its settlement. */
export function OrderActions({ at, order_no, total }: OrderActionsProps) {
  return (
    <>
      <PlatformAction
        allows="money"
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
          adminCall<Refund>('POST', `/${at}/${part(order_no)}/refunds`, {
            body: { reason: textOf(values, 'reason') },
          })
        }
        done={({ status: outcome }) => `The refund is ${outcome}.`}
      />
      <PlatformAction
        allows="money"
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
          adminCall<Complaint>('POST', `/${at}/${part(order_no)}/complaints`, {
            body: { reason: textOf(values, 'reason') },
          })
        }
        done={() => 'The complaint is open.'}
      />
    </>
  );
}
