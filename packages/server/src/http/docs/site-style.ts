import { Html } from './html.ts';

/** What the guides need beyond the style of the API reference: tables, pictures, coloured code, cards, and the search. */
export const siteStyle = new Html(`
:root { --word: #8a2be2; --text: #0a6b3d; --number: #9a4b00; --veil: rgb(20 24 42 / 45%); }
@media (prefers-color-scheme: dark) {
  :root { --word: #d3a8ff; --text: #86e0ae; --number: #ffc27a; --veil: rgb(0 0 0 / 60%); }
}
.skip { position: absolute; inset-inline-start: -9999px; }
.skip:focus { position: fixed; z-index: 3; inset: 8px auto auto 8px; padding: 8px 14px; background: var(--ground); }
.place { color: var(--soft); }
.search-button {
  margin-inline-start: auto; padding: 5px 12px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--panel); color: var(--soft); font: inherit; font-size: 0.9rem; cursor: pointer;
}
.search-button:hover { color: var(--ink); }
kbd { padding: 0 5px; border: 1px solid var(--line); border-radius: 4px; font: 0.8em ui-monospace, Menlo, monospace; }
.search-button:focus-visible, .search button:focus-visible, .search input:focus-visible, .table:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 1px;
}
nav .group { display: block; padding: 3px 0; color: var(--ink); font-size: 0.9rem; font-weight: 600; }
nav [aria-current] { color: var(--accent); font-weight: 600; }
main { max-width: 56rem; }
main > p, main > ul, main > ol, main > blockquote { max-width: 46rem; }
main h1 { margin-bottom: 12px; overflow-wrap: anywhere; }
main h1 code, main h2 code, main h3 code { font-size: 0.92em; overflow-wrap: anywhere; }
main h1 + .as-markdown { margin-top: 0; }
.as-markdown { margin: 0 0 12px; font-size: 0.875rem; }
.as-markdown a { color: var(--soft); }
.anchor { color: var(--soft); text-decoration: none; opacity: 0; }
h2:hover .anchor, h3:hover .anchor, h4:hover .anchor, .anchor:focus-visible { opacity: 1; }
:target:is(h1, h2, h3, h4) { color: var(--accent); }
main img { display: inline-block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 10px; }
.table { margin: 0.75rem 0 1.5rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.95rem; }
th, td { padding: 7px 14px 7px 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
td { min-width: 7rem; }
th.right, td.right { text-align: end; }
td code, th code { padding: 0.1em 0.28em; border-radius: 5px; background: var(--panel); }
.hljs-comment, .hljs-quote { color: var(--soft); }
.hljs-keyword, .hljs-built_in, .hljs-type, .hljs-meta, .hljs-name, .hljs-section { color: var(--word); }
.hljs-string, .hljs-regexp, .hljs-attribute { color: var(--text); }
.hljs-number, .hljs-literal, .hljs-attr, .hljs-variable, .hljs-symbol { color: var(--number); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 12px; padding: 0; list-style: none; }
main > section > .cards { max-width: none; }
.cards li { padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; }
.cards a { display: block; text-decoration: none; }
.cards a:hover { text-decoration: underline; }
.cards span { color: var(--soft); font-size: 0.9rem; overflow-wrap: anywhere; }
main > section > h2 { margin-top: 40px; }
.calls { columns: 17rem; column-gap: 32px; font-size: 0.95rem; }
.calls section { break-inside: avoid-column; }
.calls #schemas { break-inside: auto; }
.calls h3 { margin: 0 0 4px; padding-top: 14px; font-size: 1rem; }
.calls ul { margin: 0; padding: 0; list-style: none; }
.calls li a { overflow-wrap: anywhere; }
.calls li:target { background: var(--tint); }
.ways { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 12px; margin-top: 64px; padding-top: 20px; border-top: 1px solid var(--line); }
.ways a { color: var(--accent); font-size: 1rem; }
.ways a span { color: var(--soft); font-size: 0.875rem; }
.search { width: min(40rem, calc(100vw - 24px)); max-height: 80vh; margin: 10vh auto auto; padding: 0; border: 1px solid var(--line); border-radius: 14px; background: var(--ground); color: var(--ink); }
.search::backdrop { background: var(--veil); }
.search .box { display: flex; flex-direction: column; max-height: 80vh; padding: 14px; }
.search .field { display: flex; gap: 8px; }
.search input { flex: 1; min-width: 0; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); color: inherit; font: inherit; }
.search button { height: 100%; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: none; color: var(--soft); font: inherit; cursor: pointer; }
.search [role=status] { margin: 8px 2px; color: var(--soft); font-size: 0.875rem; }
.search ol { margin: 0; padding: 0; overflow-y: auto; list-style: none; }
.search li a { display: block; padding: 9px 10px; border-radius: 8px; color: inherit; text-decoration: none; }
.search li a:hover, .search li a:focus { background: var(--tint); }
.search li a:focus-visible { outline-offset: -3px; }
.search li span { display: block; overflow-wrap: anywhere; }
.search .page { max-width: none; margin: 0; color: var(--soft); font-size: 0.8rem; }
.search .found { font-weight: 600; }
.search .excerpt { color: var(--soft); font-size: 0.875rem; }
@media (max-width: 640px) { .search { margin-top: 12px; } .search-button kbd { display: none; } }
@media print { .as-markdown, .ways, .anchor, .search-button { display: none; } }
`);
