import { Alert, Anchor } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { pageSettings } from '../../api/page-settings.ts';
import { Identifier } from '../../components/values/copy-button.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('orders');

/** Who makes refunds and payouts: merchants have no interface for them. */
export function RefundNote({ order_no }: { order_no?: string }) {
  const { name, support } = pageSettings.brand;
  const help =
    support === '' ? (
      t('name_support', { name })
    ) : (
      <Anchor href={support}>{t('name_support', { name })}</Anchor>
    );
  return (
    <Alert
      variant="light"
      color="gray"
      icon={<IconReceiptRefund size={18} />}
      title={t('refunds_and_payouts')}
      mt="lg"
    >
      {order_no === undefined
        ? t.rich('the_platform_issues_refunds_and_payouts', { help })
        : t.rich('the_platform_issues_refunds_to_refund', {
            help,
            order_no: <Identifier value={order_no} name={t('order_number')} />,
          })}
    </Alert>
  );
}
