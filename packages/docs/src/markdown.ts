/** A Markdown file as a page of the site: HTML with highlighted code, headings, and pieces for the search. */
import hljs from 'highlight.js/lib/common';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { isAbsolute, type Links } from './links.ts';
import type { Heading } from './site.ts';
import { createSlugs } from './slug.ts';

/** What stands below one heading, for the search. */
export interface Piece {
  heading: Heading;
  text: string;
}

export interface Rendered {
  title: string;
  summary: string;
  html: string;
  headings: Heading[];
  pieces: Piece[];
}

export interface Rendering {
  links: Links;
  /** Called for each picture with its file; gives the address on the site. */
  picture: (file: string) => string;
}

/** Languages whose names differ in the highlighter. Texts stay as they are. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  nginx: 'ini',
  text: 'plaintext',
  '': 'plaintext',
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char);

const unescapeHtml = (text: string): string =>
  // The highlighter writes an apostrophe in its own way.
  Object.entries(escapes)
    .toReversed()
    .reduce((left, [char, entity]) => left.replaceAll(entity, char), text.replaceAll('&#x27;', "'"));

/** The text that a reader sees. */
export const textOf = (html: string): string =>
  unescapeHtml(
    html
      .replaceAll(/<a class="anchor".*?<\/a>/g, '')
      .replaceAll(/<\/?(a|b|code|del|em|span|strong)\b[^>]*>/g, '')
      .replaceAll(/<[^>]+>/g, ' '),
  )
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * @throws {Error} if the file has no heading of the first level at its beginning, or HTML other than comments and pictures
 */
export function renderMarkdown(markdown: string, rendering: Rendering): Rendered {
  const slug = createSlugs();
  const marked = new Marked({ gfm: true, renderer: rendererFor(rendering, slug) });
  const tokens = marked.lexer(markdown);
  const parts = tokens.map((token) => ({ token, html: marked.parser([token]) }));
  const headings: Heading[] = [];
  const pieces: { heading: Heading; texts: string[] }[] = [];
  for (const { token, html } of parts) {
    if (token.type === 'heading') {
      const [, id = ''] = /\sid="([^"]+)"/.exec(html) ?? [];
      const heading = { id, text: textOf(html), level: (token as Tokens.Heading).depth };
      headings.push(heading);
      pieces.push({ heading, texts: [] });
    } else pieces.at(-1)?.texts.push(textOf(html));
  }
  const [first] = headings;
  if (first?.level !== 1) throw new Error('a page begins with its title');
  const opening = parts.find(({ token }) => token.type === 'paragraph' || token.type === 'list');
  return {
    title: first.text,
    summary: firstSentence(textOf(opening?.html ?? '')),
    html: parts.map(({ html }) => html).join(''),
    headings,
    pieces: pieces.map(({ heading, texts }) => ({ heading, text: texts.join(' ') })),
  };
}

const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

function rendererFor({ links, picture }: Rendering, slug: (heading: string) => string): RendererObject {
  return {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      const id = slug(textOf(inner));
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const name = lang.split(/\s/, 1)[0] ?? '';
      return `<pre tabindex="0"><code>${highlighted(text, name)}</code></pre>\n`;
    },
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
        `<tr>${cells.map((cell) => cellHtml(tag, cell, this.parser.parseInline(cell.tokens))).join('')}</tr>`;
      const body = token.rows.map((cells) => row(cells, 'td')).join('');
      return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      if (isAbsolute(href)) return `<a href="${escapeHtml(href)}">${inner}</a>`;
      const target = links.page(href);
      // A file of the sources: the text names it.
      return target === null ? inner : `<a href="${escapeHtml(target.href)}">${inner}</a>`;
    },
    image: ({ href, text }) => pictureHtml(picture(links.picture(href)), text, null),
    html: ({ text }: Tokens.HTML | Tokens.Tag) => allowedHtml(text, (file) => picture(links.picture(file))),
  };
}

const cellHtml = (tag: 'th' | 'td', { align }: Tokens.TableCell, inner: string): string =>
  `<${tag}${align === 'right' ? ' class="right"' : ''}>${inner}</${tag}>`;

function highlighted(text: string, name: string): string {
  const language = languages[name] ?? name;
  if (hljs.getLanguage(language) === undefined) return escapeHtml(text);
  return hljs.highlight(text, { language }).value;
}

const pictureHtml = (address: string, alt: string, width: string | null): string =>
  `<img src="${address}" alt="${escapeHtml(alt)}"${width === null ? '' : ` width="${width}"`} loading="lazy" />`;

/** Comments disappear, and pictures keep their width. Other HTML is refused, so that no page can bring a script. */
function allowedHtml(text: string, addressOf: (file: string) => string): string {
  const rest = text.replaceAll(/<!--[^]*?-->/g, '');
  const pictures = rest.replaceAll(/<img ([^>]*)>/g, (_tag, attributes: string) => {
    const value = (name: string): string | undefined =>
      new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    return pictureHtml(addressOf(value('src') ?? ''), value('alt') ?? '', value('width') ?? null);
  });
  const others = pictures.replaceAll(/<img [^>]*>/g, '');
  if (others.includes('<')) throw new Error(`HTML is not allowed here: ${others.trim()}`);
  return pictures;
}

/**
 * The same file for programs: relative links and pictures get addresses of this site, and links to files that are not part
 * of it only keep their text. Comments disappear.
 */
export function markdownForPrograms(
  markdown: string,
  links: Links,
  origin: string,
  picture: (file: string) => string,
): string {
  const fence = /^( *)(```+)[^]*?^ *\2 *$/gm;
  const blocks = [...markdown.matchAll(fence)].map(([block]) => block);
  const prose = markdown.split(fence).filter((_part, i) => i % 3 === 0);
  const changed = prose.map((part) =>
    part
      .replaceAll(/<!--[^]*?-->\n*/g, '')
      .replaceAll(/(?<!!)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) => {
        if (isAbsolute(target)) return whole;
        const found = links.page(target);
        if (found === null) return text;
        const anchor = found.anchor === null ? '' : `#${found.anchor}`;
        return `[${text}](${origin}/docs/${found.path}.md${anchor})`;
      })
      .replaceAll(
        /!\[([^\]]*)\]\(([^)\s]+)\)/g,
        (_whole, text: string, file: string) => `![${text}](${picture(links.picture(file))})`,
      )
      .replaceAll(
        /<img ([^>]*)src="([^"]*)"/g,
        (_whole, before: string, file: string) => `<img ${before}src="${picture(links.picture(file))}"`,
      ),
  );
  return changed.map((part, i) => part + (blocks[i] ?? '')).join('');
}
