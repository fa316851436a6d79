/** Markup that is safe to insert into a page. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | Html | readonly Html[] | null;

/** A template that escapes inserted strings. It inserts {@link Html} unchanged and omits null. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let markup = strings[0] ?? '';
  parts.forEach((part, index) => {
    markup += render(part) + (strings[index + 1] ?? '');
  });
  return new Html(markup);
}

function render(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escape(part);
  return part instanceof Html ? part.markup : part.map(({ markup }) => markup).join('');
}

const entities: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
