import type { Texts } from '../desks/console-world.ts';

/**
 * Texts that a page must show and never execute: markup, script addresses, templates, marks that change the text
 * direction.
 */
const corpus = [
  `<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}\u202egnp.exe`,
  `"><svg/onload=alert(3)>' onmouseover='alert(4)' javascript:alert(5)`,
  `\u202e\u2066RTL\u2069 \u200f\u061c\ufeffzero\u200bwidth \u0644\u0644\u0651\u064e<b>`,
  `</title></textarea></style><iframe srcdoc="<script>alert(6)</script>">`,
  'W'.repeat(110),
  `\${alert(7)}<%= 7*7 %>#{7*7}[[constructor.constructor('alert(8)')()]]`,
];

/** Where an address has to be one that the service takes. */
const address = 'https://shop.example/"><svg/onload=alert(9)>?a=javascript:alert(10)';

/** Fields with a restricted format, and the hostile texts that fit it. */
const narrow: Readonly<Record<string, (mark: string) => string>> = {
  'order.return_url': (mark) => `${address}${mark}`,
  'client.redirect_uris[]': (mark) => `${address}${mark}`,
  'merchant.website_url': (mark) => `${address}${mark}`,
  'merchant.logo_url': (mark) => `${address}${mark}`,
  'user.email': (mark) => `'onmouseover='alert\`13\`'&lt${mark}@people.test`,
  reference: (mark) => `<svg/onload=alert(14)>${mark}`,
};

export interface HostileTexts {
  texts: Texts;
  /** A mark for each place, which occurs in no other text. */
  marks: ReadonlyMap<string, readonly string[]>;
}

/** A new hostile text for each field that is written, each with a unique mark to find it. */
export function hostileTexts(): HostileTexts {
  const marks = new Map<string, string[]>();
  return {
    marks,
    texts(field) {
      const written = marks.get(field) ?? [];
      marks.set(field, written);
      const mark = `m${[...marks.keys()].indexOf(field)}x${written.length}e`;
      written.push(mark);
      return narrow[field]?.(mark) ?? `${mark} ${corpus[(written.length - 1) % corpus.length] ?? ''}`;
    },
  };
}
