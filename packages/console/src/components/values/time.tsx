/** Times as the consoles show them. */
import { Tooltip } from '@mantine/core';
import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime.js';

dayjs.extend(relativeTime);

const short = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' });
const utc = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

interface TimeProps {
  /** RFC 3339, or null if it has not come yet. */
  at: string | null | undefined;
  /** `full`: day and minute; `day`; `ago`: how long ago, or how long from now. */
  show?: 'full' | 'day' | 'ago';
}

/** A time in the viewer's zone; the tooltip shows it in UTC. */
export function Time({ at, show = 'full' }: TimeProps) {
  if (at === null || at === undefined) return <span aria-label="none">–</span>;
  const date = new Date(at);
  const text =
    show === 'ago' ? dayjs(date).fromNow() : show === 'day' ? day.format(date) : short.format(date);
  return (
    <Tooltip label={`${utc.format(date)} UTC`} openDelay={150}>
      <time className="when" dateTime={at}>
        {text}
      </time>
    </Tooltip>
  );
}
