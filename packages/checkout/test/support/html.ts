/** Reads the HTML that our own renderer writes, for tests. */
/** A tag of a page, with its attributes' values decoded. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

export const decode = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);

/** Every opening tag of a page. The contents of scripts and styles are left out. */
export function tagsOf(html: string): Tag[] {
  const bare = html.replace(/(<(script|style)\b[^>]*>)[\s\S]*?<\/\2>/g, '$1');
  return [...bare.matchAll(/<([a-z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi)].map((match) => ({
    name: (match[1] ?? '').toLowerCase(),
    attributes: new Map(
      [...(match[2] ?? '').matchAll(/\s([^\s=>/]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        decode(value),
      ]),
    ),
  }));
}

/** What a reader sees: the text of a page without tags, scripts and styles. */
export const textOf = (html: string): string =>
  decode(
    html
      .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '')
      .replace(/<title>[\s\S]*?<\/title>/, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/[\s\u00a0\u202f]+/g, ' '),
  );

/** The tags whose attribute has a value. */
export const tagsWith = (html: string, name: string, attribute: string, value?: string): Tag[] =>
  tagsOf(html).filter(
    (tag) =>
      tag.name === name &&
      (value === undefined ? tag.attributes.has(attribute) : tag.attributes.get(attribute) === value),
  );
