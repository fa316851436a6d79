import type { Ui } from '../view/ui.ts';

/** A time, in UTC without scripts. The script turns it into the time of the buyer's zone (D-630). */
export function LocalTime({ ui, at }: { ui: Pick<Ui, 'moment'>; at: string }) {
  return (
    <time dateTime={at} data-local>
      {ui.moment(at)}
    </time>
  );
}

interface TimeInProps {
  ui: Pick<Ui, 'moment'>;
  /** The text, given what stands in it for the time. */
  text: (date: string) => string;
  at: string;
}

/** A text with a time in it, which is in the buyer's zone as well. */
export function TimeIn({ ui, text, at }: TimeInProps) {
  const [before, after] = text('\0').split('\0');
  return (
    <>
      {before}
      <LocalTime ui={ui} at={at} />
      {after}
    </>
  );
}
