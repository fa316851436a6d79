/** What an administrator can do about a paid order of either kind. */
import { IconGavel, IconReceiptRefund } from '@tabler/icons-react';
import { adminCall, type Complaint, type Refund } from '../../api/admin.ts';
import { part } from '../../api/call.ts';
import { PlatformAction } from '../allowed.tsx';
import { reasonField, textOf } from '../../components/dialog/fields.ts';
import { words } from '../../components/values/status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

interface OrderActionsProps {
  /** The path of the orders of this kind. */
  at: 'collection-orders' | 'catalog-orders';
  order_no: string;
  /** The amount that the buyer has paid, with its currency. */
  total: string;
  /** Whether the order is the top-up of a person. */
  isTopUp?: boolean;
}

/** Refunds the whole order, or opens a complaint, which freezes its settlement. */
export function OrderActions({ at, order_no, total, isTopUp = false }: OrderActionsProps) {
  return (
    <>
      <PlatformAction
        allows="money"
        label={t('refund')}
        icon={<IconReceiptRefund size={16} />}
        title={t('refund_the_whole_order')}
        confirm={t('refund_total', { total })}
        danger
        fields={[reasonField]}
        // The loss is all that the buyer paid, and not the merchant's net amount (D-1423); of a top-up, see D-361.
        consequences={() => [
          t('the_buyer_gets_total_back_including', { total }),
          t(isTopUp ? 'the_persons_wallet_pays_first' : 'the_merchant_bears_all_that_the'),
          t('only_the_whole_payment_can_be_refunded'),
          t('a_refund_cannot_be_undone'),
        ]}
        submit={(values) =>
          adminCall<Refund>('POST', `/${at}/${part(order_no)}/refunds`, {
            body: { reason: textOf(values, 'reason') },
          })
        }
        done={({ status: outcome }) => t('refund_outcome', { outcome: words(outcome) })}
      />
      <PlatformAction
        allows="money"
        label={t('dispute')}
        icon={<IconGavel size={16} />}
        title={t('open_a_dispute')}
        confirm={t('open')}
        fields={[reasonField]}
        consequences={() => [t('the_merchants_net_amount_of_this_2'), t('the_buyer_is_not_refunded_yet')]}
        submit={(values) =>
          adminCall<Complaint>('POST', `/${at}/${part(order_no)}/complaints`, {
            body: { reason: textOf(values, 'reason') },
          })
        }
        done={() => t('dispute_opened')}
      />
    </>
  );
}
