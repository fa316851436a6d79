import { Html } from './html.ts';

/** The style sheet of the API reference: light and dark, for all widths from a phone on. */
export const style = new Html(`
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f4f5f8; --ink: #14182a; --soft: #565d73; --line: #dfe2ea;
  --accent: #1f47c4; --good: #14713f; --good-tint: #e5f5ec; --tint: #eef2ff; --warn: #7a4a00; --warn-tint: #fff4dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e111a; --panel: #171b27; --ink: #eef0f7; --soft: #a7aec3; --line: #2b3142;
    --accent: #9db4ff; --good: #6fdba0; --good-tint: #15301f; --tint: #1d2438; --warn: #f4cf86; --warn-tint: #2e2512;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 72px; text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.875em/1.55 ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
p code, li code, dd code { padding: 0.1em 0.28em; border-radius: 5px; background: var(--panel); }
pre {
  margin: 0.5rem 0 1.25rem; padding: 14px 16px; overflow-x: auto; border: 1px solid var(--line);
  border-radius: 10px; background: var(--panel);
}
pre code { overflow-wrap: normal; }
.top {
  position: sticky; top: 0; z-index: 1; display: flex; align-items: baseline; gap: 12px; padding: 14px 24px;
  background: var(--ground); border-bottom: 1px solid var(--line); color: var(--soft);
}
.top a { text-decoration: none; }
.brand { color: var(--ink); font-weight: 700; letter-spacing: -0.01em; }
.raw { margin-inline-start: auto; font-size: 0.9rem; }
.page { display: grid; grid-template-columns: 290px minmax(0, 1fr); max-width: 1240px; margin: 0 auto; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { margin: 2px 0 14px; padding-inline-start: 12px; border-inline-start: 1px solid var(--line); }
nav a { display: block; padding: 3px 0; color: var(--soft); font-size: 0.9rem; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav a.group { color: var(--ink); font-weight: 600; }
.side { position: sticky; top: 57px; align-self: start; max-height: calc(100vh - 57px); overflow-y: auto; padding: 28px 24px; }
.small-contents { display: none; }
main { min-width: 0; padding: 24px 24px 96px; }
main > p, .group > p, .call > p, .schema > p { max-width: 46rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; }
.lead { margin: 6px 0 28px; color: var(--soft); font-size: 1.1rem; }
h2 { margin: 64px 0 8px; padding-top: 24px; border-top: 1px solid var(--line); font-size: 1.6rem; line-height: 1.25; letter-spacing: -0.015em; }
h3 { margin: 44px 0 6px; font-size: 1.2rem; line-height: 1.35; }
/* The name of a schema is one long word. */
h2, h3, nav { overflow-wrap: anywhere; }
h4 { margin: 28px 0 4px; font-size: 0.95rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
:target > h2, :target > h3 { color: var(--accent); }
.address { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 10px; margin: 0 0 12px; }
.address code { padding: 0; background: none; font-size: 0.95rem; }
.method, .status {
  display: inline-block; padding: 1px 8px; border-radius: 6px; background: var(--panel); color: var(--soft);
  font: 600 0.78rem/1.6 ui-monospace, Menlo, Consolas, monospace; text-transform: uppercase;
}
.method.get { background: var(--good-tint); color: var(--good); }
.method.post { background: var(--tint); color: var(--accent); }
.method.delete, .method.webhook { background: var(--warn-tint); color: var(--warn); }
.status.good { background: var(--good-tint); color: var(--good); }
.needs { margin: 12px 0; padding: 10px 16px 10px 32px; border-radius: 10px; background: var(--panel); font-size: 0.95rem; }
.type { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.mark { color: var(--soft); font-size: 0.8rem; }
.mark.required { color: var(--warn); font-weight: 600; }
.needs code, .members dt code { padding: 0; background: none; }
.members { margin: 8px 0 0; border-bottom: 1px solid var(--line); }
.members > div {
  display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); gap: 2px 24px; padding: 10px 0;
  border-top: 1px solid var(--line);
}
.members dt { display: flex; flex-wrap: wrap; align-content: start; align-items: baseline; gap: 0 8px; min-width: 0; }
.members dt code { color: var(--ink); font-weight: 600; }
.members dd { margin: 0; min-width: 0; font-size: 0.95rem; }
.members dd p, .members dd ul { margin: 0; }
.members dd ul { padding-inline-start: 18px; }
.members .facts { margin-top: 4px; color: var(--soft); }
.members .members { margin-top: 8px; border-bottom: 0; }
.answer { margin-bottom: 4px; }
summary { width: fit-content; cursor: pointer; font-weight: 600; }
.errors { margin-top: 16px; }
@media (max-width: 900px) {
  .page { display: block; }
  .side { display: none; }
  .small-contents { display: block; margin: 0 0 24px; padding: 12px 16px; border: 1px solid var(--line); border-radius: 10px; }
  .small-contents nav { margin-top: 10px; }
  .small-contents nav a { padding: 6px 0; font-size: 1rem; }
}
@media (max-width: 640px) {
  .top { padding: 12px 16px; }
  main { padding: 20px 16px 72px; }
  h1 { font-size: 1.7rem; }
  .members > div { display: block; }
  .members dd { margin-top: 2px; }
}
@media print { .top, .side, .small-contents { display: none; } .page { display: block; } }
`);
