/**
 * Whether a dialog has a form, or a panel what was not yet sent, or a secret is shown that nobody sees again: leaving the page
 * would lose it (D-981).
 */
export const isFormOpen = (): boolean =>
  document.querySelector('[role=dialog] form, [data-unsent], [data-seen-once]') !== null;
