/** HTML with escaped values: a template tag, and nothing more. */

class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What `html` has made is taken as it is, everything else is escaped. Lists are joined, null and false are left out. */
export function html(strings, ...parts) {
  return new Html(String.raw({ raw: strings }, ...parts.map(textOf)));
}

function textOf(part) {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  if (part === null || part === undefined || part === false) return '';
  return String(part).replaceAll(/[&<>"']/g, (char) => entities[char]);
}
