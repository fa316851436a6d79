/** Where the keyboard and a screen reader go on after a link has changed the screen, but not the page (D-1312). */

let isExpected = false;

/** For the router, before it opens another address. The first one is opened by the browser, which begins at the top. */
export function expectArrival({
  fromLocation,
  pathChanged,
}: {
  fromLocation?: object;
  pathChanged: boolean;
}): void {
  if (fromLocation !== undefined && pathChanged) isExpected = true;
}

/** The title of a new screen takes the focus, unless something has it that has opened or stayed above the change. */
export function arriveAt(title: HTMLElement | null): void {
  if (!isExpected) return;
  isExpected = false;
  const { activeElement } = document;
  if (activeElement === document.body || activeElement?.closest('nav')) title?.focus({ preventScroll: true });
}
