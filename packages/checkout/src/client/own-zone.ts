/** Turns the times of a page into those of the buyer's own zone, which the server does not know (D-630). */
import { momentIn } from '../view/ui.ts';

/** Shows times in the zone of this browser, and lets links to documents name it. */
export function showOwnZone(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('[data-local]')) {
    time.textContent = momentIn(document.documentElement.lang, time.dateTime, null);
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-zone]')) {
    const address = new URL(link.href);
    address.searchParams.set('zone', Intl.DateTimeFormat().resolvedOptions().timeZone);
    link.href = address.href;
  }
}
