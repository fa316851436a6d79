import { Alert } from '@mantine/core';
import { IconClock, IconHourglass, IconSnowflake } from '@tabler/icons-react';
import type { OrderStory } from '../api/order-detail.ts';
import { Time } from '../components/values/time.tsx';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('order');

interface HoldProps extends Pick<OrderStory, 'hold' | 'complaints'> {
  reversed: boolean;
}

/** When the income of an order becomes available, or when it did; what an open dispute freezes, or why nothing (D-440). */
export function Hold({ hold, complaints, reversed }: HoldProps) {
  // The income was taken back, whether the hold had ended or not.
  if (hold === null || reversed) return null;
  const { release_at, released_at } = hold;
  const [title, about] = isDisputed(complaints)
    ? released_at === null
      ? [t('frozen_by_a_dispute'), t('frozen_until_the_dispute_is_decided')]
      : [
          t('dispute_open_nothing_frozen'),
          t.rich('the_hold_ended_before_the_dispute', { time: <Time at={released_at} /> }),
        ]
    : released_at === null
      ? [t('income_is_on_hold'), t.rich('it_becomes_available_on_time', { time: <Time at={release_at} /> })]
      : [t('the_hold_has_ended'), t.rich('the_hold_ended_on_time', { time: <Time at={released_at} /> })];
  const [Icon, color] = isDisputed(complaints) ? [IconSnowflake, 'orange'] : [IconHourglass, 'brand'];
  return (
    <Alert color={color} variant="light" icon={<Icon size={18} />} title={title} mb="lg">
      {about}
    </Alert>
  );
}

export const isDisputed = (complaints: OrderStory['complaints']): boolean =>
  complaints.some(({ status }) => status === 'open');

/** Says what an order waits for while its payment is not confirmed, and that nothing is booked yet (D-1456). */
export function UnconfirmedPayment({ order, attempts }: Pick<OrderStory, 'order' | 'attempts'>) {
  const hasAttempt = (state: string): boolean => attempts.some((attempt) => attempt.state === state);
  const isProcessing = hasAttempt('processing') && ['pending', 'review'].includes(order.status);
  if (order.status !== 'review' && !isProcessing) return null;
  return (
    <Alert variant="light" icon={<IconClock size={18} />} title={t('payment_not_confirmed')} mb="lg">
      {isProcessing
        ? t('the_provider_confirms_it_later')
        : hasAttempt('mismatch')
          ? t('a_payment_differs_from_the_order')
          : t('the_provider_is_asked_again')}
    </Alert>
  );
}
