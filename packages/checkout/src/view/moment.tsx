/** A time on a page that the browser draws again. */
import { useEffect, useState } from 'preact/hooks';
import { momentIn, type Ui } from './ui.ts';

/** A time in UTC, as the server writes it, and then in the zone of the browser (D-630). */
export function Moment({ ui, at }: { ui: Pick<Ui, 'locale'>; at: string }) {
  const [zone, setZone] = useState<string | null>('UTC');
  useEffect(() => {
    setZone(null);
  }, []);
  return <time dateTime={at}>{momentIn(ui.locale, at, zone)}</time>;
}
