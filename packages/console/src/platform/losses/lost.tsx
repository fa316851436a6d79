/** What a dispute has taken, and below it what the provider has charged for it. */
import { Text } from '@mantine/core';
import type { Complaint } from '../../api/admin.ts';
import { Amount } from '../../components/values/money.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-orders');

export function Lost({ of }: { of: Pick<Complaint, 'loss_amount' | 'external_cost' | 'currency'> }) {
  const { loss_amount, external_cost, currency } = of;
  if (loss_amount === null) return '–';
  return (
    <>
      <Amount amount={loss_amount} currency={currency} />
      {external_cost !== null && (
        <Text size="xs" c="dimmed">
          {t('external_costs')}: <Amount amount={external_cost} currency={currency} />
        </Text>
      )}
    </>
  );
}
