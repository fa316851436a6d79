import { otherZone, timeZone } from './time-zone.ts';
import { timeFormat } from './format.ts';
import { textsOf } from './texts.ts';

const t = textsOf('core');
const clock = timeFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** At what time figures were read that may be up to an hour old. */
export const asOfText = (as_of: string): string =>
  t('figures_as_of', { time: clock.format(new Date(as_of)) });

/** The same of figures by days, whose days may begin in another zone than the viewer's (D-1401). */
export function asOfDaysText(as_of: string): string {
  const zone = otherZone();
  const text = asOfText(as_of);
  return zone === null ? text : `${text} · ${t('days_begin_in_zone', { zone, own: timeZone })}`;
}
