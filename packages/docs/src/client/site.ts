/** What the pages of the documentation gain from scripts: the search, and links from before that still lead to their call. */

const button = document.querySelector<HTMLButtonElement>('#search-button');
const dialog = document.querySelector<HTMLDialogElement>('#search');

if (button !== null && dialog !== null) {
  button.hidden = false;
  button.addEventListener('click', () => void openSearch(dialog));
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    const isShortcut =
      (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) ||
      (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
    if (!isShortcut) return;
    event.preventDefault();
    void openSearch(dialog);
  });
}

/** The index and its reader are loaded when they are first needed. */
async function openSearch(box: HTMLDialogElement): Promise<void> {
  if (!box.open) box.showModal();
  const { startSearch } = await import('./search-box.ts');
  await startSearch(box);
}

/** The contents are long: the page's own entry is brought into view. */
const current = document.querySelector('.side [aria-current]');
const side = current?.closest('.side');
if (current != null && side != null) {
  side.scrollTop +=
    current.getBoundingClientRect().top - side.getBoundingClientRect().top - side.clientHeight / 3;
}

/** The API reference was at `/docs` once: its anchors are on the first page, as links to the calls. */
const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
const onward = named?.closest('[data-calls]') == null ? null : named.querySelector('a');
if (onward != null) location.replace(onward.href);
