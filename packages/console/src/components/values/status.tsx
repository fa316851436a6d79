/** Statuses in words, colours and signs. */
import { Badge } from '@mantine/core';
import { textOfCode } from '../../texts/texts.ts';
import { looks, plainLook } from './status-looks.ts';

/** A status in words, with a colour and a sign of the same meaning. */
export function Status({ value, label }: { value: string; label?: string | undefined }) {
  const { color, Icon } = looks[value] ?? plainLook;
  return (
    <Badge
      className="status"
      color={color}
      leftSection={<Icon size={13} aria-hidden />}
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

/** A code of the service in words: `gateway_refund_failed` as `Gateway refund failed`. */
export function words(code: string): string {
  const known = textOfCode(code);
  if (known !== null) return known;
  const text = code.replaceAll(/[_-]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
