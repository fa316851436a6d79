/**
 * Tells what a person does from what an open page reads by itself. A page that reads every few seconds must not keep the
 * session of a person who has left, so such reads are marked, and the service does not count them as a use.
 */

/** Without input for this long, reads are the page's own. */
const quiet_ms = 60_000;

let lastInput_ms = Date.now();

/** Notes the input of a person from now on. */
export function watchActivity(page: Pick<EventTarget, 'addEventListener'>): void {
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']) {
    page.addEventListener(kind, noteInput, { passive: true, capture: true });
  }
}

function noteInput(): void {
  lastInput_ms = Date.now();
}

/** The header of a call that no person has made; none otherwise. */
export const activityHeaders = (): Record<string, string> =>
  Date.now() - lastInput_ms < quiet_ms ? {} : { 'x-paydesk-background': '1' };
