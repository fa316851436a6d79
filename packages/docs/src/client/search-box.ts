/** The search (D-291): results while one types; the arrow keys move through them, Enter opens one, Escape closes. */
import MiniSearch from 'minisearch';
import { type Found, type SearchEntry, searchOptions } from '../search.ts';

const most_results = 20;

let index: Promise<MiniSearch<SearchEntry>> | undefined;

interface Box {
  input: HTMLInputElement;
  results: HTMLElement;
  status: HTMLElement;
  /** The address of the documentation. */
  home: string;
}

/** Loads the index once, and connects the dialog. Calling it again only selects what stands in the field. */
export async function startSearch(dialog: HTMLDialogElement): Promise<void> {
  const box = partsOf(dialog);
  box.input.select();
  if (index !== undefined) return;
  index = load(dialog.dataset.index ?? '');
  connect(dialog, box);
  box.status.textContent = 'Loading …';
  try {
    await index;
    await show(box);
  } catch {
    index = undefined;
    box.status.textContent = 'The search could not be loaded. Close it and try again.';
  }
}

async function load(address: string): Promise<MiniSearch<SearchEntry>> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the index answered ${answer.status}`);
  return MiniSearch.loadJSON(await answer.text(), searchOptions);
}

function partsOf(dialog: HTMLDialogElement): Box {
  const input = dialog.querySelector('input');
  const results = dialog.querySelector('ol');
  const status = dialog.querySelector<HTMLElement>('[role=status]');
  if (input === null || results === null || status === null) throw new Error('the search lacks a part');
  return {
    input,
    results,
    status,
    home: dialog.dataset.home ?? '',
  };
}

const connected = new WeakSet<HTMLDialogElement>();

function connect(dialog: HTMLDialogElement, box: Box): void {
  if (connected.has(dialog)) return;
  connected.add(dialog);
  box.input.addEventListener('input', () => void show(box));
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target === box.input) {
      event.preventDefault();
      linksOf(box)[0]?.click();
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(box, event.key === 'ArrowDown' ? 1 : -1);
    }
  });
  // A link to a section of this page loads nothing, so the dialog closes by itself. A click beside the box closes it, too.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest('a') !== null)) dialog.close();
  });
}

const linksOf = ({ results }: Box): HTMLAnchorElement[] => [...results.querySelectorAll('a')];

/** From the field into the results and back. */
function move(box: Box, step: 1 | -1): void {
  const links = linksOf(box);
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const to = at + step;
  (to < 0 ? box.input : (links[Math.min(to, links.length - 1)] ?? box.input)).focus();
}

async function show(box: Box): Promise<void> {
  const asked = box.input.value.trim();
  if (index === undefined) return;
  const found = (await index).search(asked);
  // The person has typed more since.
  if (asked !== box.input.value.trim()) return;
  box.results.replaceChildren(
    ...found.slice(0, most_results).map((one) => itemOf(one as unknown as Found, box.home)),
  );
  box.status.textContent = statusOf(asked, found.length);
}

function statusOf(asked: string, count: number): string {
  if (asked === '') return '';
  if (count === 0) return 'Nothing found.';
  if (count > most_results) return `The first ${most_results} of ${count} results.`;
  return count === 1 ? '1 result.' : `${count} results.`;
}

function itemOf({ title, heading, href, excerpt }: Found, home: string): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${home}/${href}`;
  const texts = { page: title, found: heading === '' ? title : heading, excerpt };
  for (const [name, text] of Object.entries(texts)) {
    if (name === 'page' && heading === '') continue;
    const line = document.createElement('span');
    line.className = name;
    line.textContent = text;
    link.append(line);
  }
  item.append(link);
  return item;
}
