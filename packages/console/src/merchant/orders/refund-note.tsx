import { Alert, Anchor } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { pageSettings } from '../../api/page-settings.ts';
import { Identifier } from '../../components/values/copy-button.tsx';

/** Who makes refunds and payouts: merchants have no interface for them. */
export function RefundNote({ order_no }: { order_no?: string }) {
  const { name, support } = pageSettings.brand;
  const help =
    support === '' ? `the support of ${name}` : <Anchor href={support}>the support of {name}</Anchor>;
  return (
    <Alert
      variant="light"
      color="gray"
      icon={<IconReceiptRefund size={18} />}
      title="Refunds and payouts"
      mt="lg"
    >
      {order_no === undefined ? (
        <>The platform makes refunds and payouts. To be paid out, ask {help}.</>
      ) : (
        <>
          The platform makes refunds. To refund this order, ask {help} and quote{' '}
          <Identifier value={order_no} name="order number" />
        </>
      )}
    </Alert>
  );
}
