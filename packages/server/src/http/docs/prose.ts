/** Descriptions as HTML. */
import { html, type Html, nothing } from './html.ts';

/** Renders a description. It supports the Markdown that our descriptions use: paragraphs, lists and `code`. */
export function prose(text: string | undefined): Html {
  if (text === undefined || text === '') return nothing;
  return html`${text.split('\n\n').map((block) => (block.startsWith('- ') ? list(block) : html`<p>${line(block)}</p>`))}`;
}

/** Renders a text of one line. */
export function line(text: string): Html {
  const parts = text.split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

function list(block: string): Html {
  const items = block.split('\n').map((item) => html`<li>${line(item.replace(/^- /, ''))}</li>`);
  return html`<ul>
    ${items}
  </ul>`;
}
