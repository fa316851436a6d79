/** What the search finds: every section of every page, and every call of the API. The browser reads the same options (D-291). */
import MiniSearch, { type Options } from 'minisearch';

/** One result. */
export interface Found {
  /** The title of the page. */
  title: string;
  /** The heading of the section; empty at the beginning of a page. */
  heading: string;
  /** The address below `/docs`. */
  href: string;
  /** How the text begins. */
  excerpt: string;
}

/** What is indexed. */
export interface SearchEntry extends Found {
  id: number;
  text: string;
}

export const searchOptions: Options<SearchEntry> = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'href', 'excerpt'],
  // Names such as `external_reference` and `PAYDESK_DB_POOL` are one word, and also their parts.
  tokenize: (text) =>
    text
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
  searchOptions: {
    boost: { title: 4, heading: 3 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    // Old news come last, and calls before the pages that mention them.
    boostDocument: (_id, _term, stored) => weightOf(String(stored?.href)),
  },
};

const weightOf = (href: string): number => {
  if (href.startsWith('changelog')) return 0.3;
  return href.startsWith('api#') ? 1.5 : 1;
};

const excerpt_length = 140;

/** A beginning that ends at a word. */
export function excerptOf(text: string): string {
  if (text.length <= excerpt_length) return text;
  const cut = text.slice(0, excerpt_length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), 1))} …`;
}

/** The index as JSON, which the browser loads when the search is opened. */
export function searchIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch(searchOptions);
  index.addAll(entries);
  return JSON.stringify(index);
}
