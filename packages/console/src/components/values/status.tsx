/** Statuses in words and colours. */
import { Badge } from '@mantine/core';

const colors: Readonly<Record<string, string>> = {
  paid: 'teal',
  delivered: 'teal',
  active: 'teal',
  approved: 'teal',
  approve: 'teal',
  enabled: 'teal',
  fulfilled: 'teal',
  completed: 'teal',
  succeeded: 'teal',
  resolved: 'teal',
  refunded: 'indigo',
  complaint_hold: 'orange',
  pending: 'blue',
  open: 'blue',
  requested: 'blue',
  processing: 'blue',
  waiting: 'gray',
  paying: 'blue',
  review: 'orange',
  retrying: 'yellow',
  held: 'orange',
  failed: 'red',
  rejected: 'red',
  disputed: 'red',
  lost: 'red',
  confirmed: 'red',
  inactive: 'gray',
  disabled: 'gray',
  expired: 'gray',
  cancelled: 'gray',
  dismissed: 'gray',
};

/** A status in words, with a colour of the same meaning. */
export function Status({ value, label }: { value: string; label?: string }) {
  return (
    <Badge
      className="status"
      color={colors[value] ?? 'gray'}
      variant="light"
      radius="sm"
      tt="none"
      fw={600}
      size="md"
      miw="max-content"
    >
      {label ?? words(value)}
    </Badge>
  );
}

/** `gateway_refund_failed` as `Gateway refund failed`. */
export function words(code: string): string {
  const text = code.replaceAll(/[_-]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
