import { Alert } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import type { OrderStory } from '../api/order-detail.ts';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

/** When the income of an order becomes available, or when it did. */
export function Hold({ hold, reversed }: Pick<OrderStory, 'hold'> & { reversed: boolean }) {
  // The income was taken back, whether the hold had ended or not.
  if (hold === null || reversed) return null;
  const title = hold.released_at === null ? t('income_is_on_hold') : t('the_hold_has_ended');
  return (
    <Alert color="brand" variant="light" icon={<IconHourglass size={18} />} title={title} mb="lg">
      {hold.released_at === null
        ? t.rich('it_becomes_available_on_time', { time: <Time at={hold.release_at} /> })
        : t.rich('the_hold_ended_on_time', { time: <Time at={hold.released_at} /> })}
    </Alert>
  );
}
