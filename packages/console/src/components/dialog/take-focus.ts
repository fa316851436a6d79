/**
 * For `ref`: what a person has to read next in a dialog takes the focus when it appears, and comes into view. What has
 * the focus outside of the dialog, as the offer to load the page again, keeps it.
 */
export function takeFocus(element: HTMLElement | null): void {
  const { activeElement } = document;
  const isFree =
    activeElement === document.body || element?.closest('[role=dialog]')?.contains(activeElement);
  if (isFree) element?.focus();
}
