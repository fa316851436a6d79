/** The deadline of a dispute: amber in its last week, red in its last two days. */
import { Badge, Group } from '@mantine/core';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import { Time } from '../../components/values/time.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('platform-disputes');

const day_ms = 86_400_000;

/** How urgent a deadline is. */
export function urgencyOf(due_by: Date, now = new Date()): 'over' | 'soon' | 'near' | 'far' {
  const left_ms = due_by.getTime() - now.getTime();
  if (left_ms <= 0) return 'over';
  if (left_ms <= 2 * day_ms) return 'soon';
  return left_ms <= 7 * day_ms ? 'near' : 'far';
}

const colors = { over: 'red', soon: 'red', near: 'orange', far: 'gray' } as const;

/** @param short the time that is left alone; the tooltip has the deadline */
export function Due({ at, waits, short = false }: { at: string | null; waits: boolean; short?: boolean }) {
  if (at === null || !waits) return <Time at={at} />;
  const due_by = new Date(at);
  const urgency = urgencyOf(due_by);
  const Icon = urgency === 'far' || urgency === 'near' ? IconClock : IconAlertTriangle;
  const left = (
    <Badge
      className="status"
      color={colors[urgency]}
      variant="light"
      radius="sm"
      tt="none"
      miw="max-content"
      leftSection={<Icon size={13} aria-hidden />}
    >
      {urgency === 'over' ? t('overdue') : <Time at={at} show="ago" />}
    </Badge>
  );
  if (short) return left;
  return (
    <Group gap={6}>
      {left}
      <Time at={at} />
    </Group>
  );
}
