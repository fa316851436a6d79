/** Times as the consoles show them. */
import { agoText, timeFormat } from '../../texts/format.ts';
import { Hint } from './hint.tsx';
import { textsOf } from '../../texts/texts.ts';

const t = textsOf('core');

const toTheMinute = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const short = timeFormat(toTheMinute);
const exact = timeFormat({ ...toTheMinute, second: '2-digit' });
const day = timeFormat({ year: 'numeric', month: 'short', day: 'numeric' });
const utc = timeFormat({
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

const formats = { full: short, second: exact, day };

/** A time as `Time` shows it, where only a text can stand. */
export const timeText = (at: string): string => short.format(new Date(at));

interface TimeProps {
  /** RFC 3339, or null if it has not come yet. */
  at: string | null | undefined;
  /** `full`: day and minute; `second`: with seconds; `day`; `ago`: how long ago, or how long from now. */
  show?: 'full' | 'second' | 'day' | 'ago';
}

/** A time in the viewer's zone; the tooltip shows it in UTC. */
export function Time({ at, show = 'full' }: TimeProps) {
  if (at === null || at === undefined) return <span aria-label={t('none')}>–</span>;
  const date = new Date(at);
  const text = show === 'ago' ? agoText(date) : formats[show].format(date);
  return (
    <Hint label={`${utc.format(date)} UTC`} delay_ms={150}>
      <time className="when" dateTime={at}>
        {text}
      </time>
    </Hint>
  );
}
