import { Alert } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import type { OrderStory } from '../api/order-detail.ts';
import { Time } from '../components/values/time.tsx';

/** When the income of an order becomes available, or when it did. */
export function Hold({ hold }: Pick<OrderStory, 'hold'>) {
  if (hold === null) return null;
  const title = hold.released_at === null ? 'Income is held for a while' : 'Nothing is held any more';
  return (
    <Alert color="brand" variant="light" icon={<IconHourglass size={18} />} title={title} mb="lg">
      {hold.released_at === null ? (
        <>
          It becomes available on <Time at={hold.release_at} />.
        </>
      ) : (
        <>
          The hold ended on <Time at={hold.released_at} />.
        </>
      )}
    </Alert>
  );
}
