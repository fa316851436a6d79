/** How the delivery of a notification goes, in words. */
import { Group, Text } from '@mantine/core';
import { Status, words } from './status.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

interface Delivery {
  delivery_status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  last_http_status: number | null;
  last_error: string | null;
}

/** Automatic attempts of a notification. */
const mostAttempts = 10;

/** The last answer of a receiver, in words; null before there is one. */
export function answerWords({
  last_http_status,
  last_error,
}: Pick<Delivery, 'last_http_status' | 'last_error'>): string | null {
  if (last_error !== null && last_error !== 'http_error') return words(last_error);
  return last_http_status === null ? null : `HTTP ${last_http_status}`;
}

/** Whether it has failed and is tried again. */
const isRetrying = ({ delivery_status, attempts, last_error }: Delivery): boolean =>
  delivery_status === 'pending' && attempts > 0 && last_error !== null;

/** The status of a delivery: after a failure, the number of the next attempt and the last answer. */
export function DeliveryStatus({ of }: { of: Delivery }) {
  if (!isRetrying(of)) return <Status value={of.delivery_status} />;
  const next = of.attempts + 1;
  // A replay beyond the schedule is one attempt, without a number.
  const label =
    next > mostAttempts ? t('retrying') : t('retrying_next_of_last', { next, last: mostAttempts });
  const answer = answerWords(of);
  return (
    <Group gap={6} wrap="nowrap">
      <Status value="retrying" label={label} />
      {answer !== null && (
        <Text size="xs" c="dimmed" className="wrap">
          {answer}
        </Text>
      )}
    </Group>
  );
}
