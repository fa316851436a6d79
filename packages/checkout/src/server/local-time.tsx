import type { Ui } from '../view/ui.ts';

/** A time. The script turns it into the time of the buyer's zone. */
export function LocalTime({ ui, at }: { ui: Pick<Ui, 'moment'>; at: string }) {
  return (
    <time dateTime={at} data-local>
      {ui.moment(at)}
    </time>
  );
}
