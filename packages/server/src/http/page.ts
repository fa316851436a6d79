/** Sends HTML pages with strict security headers. */
import { randomBytes } from 'node:crypto';
import { isLocale, type Locale } from '@paydesk/checkout';
import type { FastifyReply } from 'fastify';
import { setCookie } from './cookies.ts';

/** A fresh nonce for the scripts and styles of one page. */
export const pageNonce = (): string => randomBytes(18).toString('base64');

/** What allows the page's own `<script>` and `<style>` elements. */
type Inline =
  | { nonce: string }
  /** The only inline element is a `<style>` with this SHA-256, in base64: the page is the same for everyone. */
  | { style_hash: string };

export type PageOptions = Inline & {
  status?: number;
  /** Other origins that a form may redirect to: browsers apply `form-action` to redirects (H-17). */
  form_action?: readonly string[];
  /** The only origins that may show the page in a frame (D-266); by default none may. */
  frame_ancestors?: readonly string[];
};

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ');

/**
 * Answers with an HTML page. Its policy allows only the page's own scripts, styles and images (H-17, R-382). The language
 * that its address names holds for the next pages, unless it may be a page for a frame, which sets no cookie (D-268).
 */
export function sendPage(reply: FastifyReply, html: string, options: PageOptions): FastifyReply {
  setPageHeaders(reply, options);
  if ('nonce' in options && options.frame_ancestors === undefined) rememberLanguage(reply);
  return reply.code(options.status ?? 200).send(html);
}

/** Sets the type and the security headers of a page. */
export function setPageHeaders(reply: FastifyReply, options: PageOptions): void {
  const { form_action = [], frame_ancestors = [] } = options;
  const [script, style] =
    'nonce' in options
      ? [` 'nonce-${options.nonce}'`, ` 'nonce-${options.nonce}'`]
      : ['', ` 'sha256-${options.style_hash}'`];
  const policy = [
    `default-src 'none'`,
    `script-src 'self'${script}`,
    `style-src 'self'${style}`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    ['form-action', `'self'`, ...new Set(form_action)].join(' '),
    ['frame-ancestors', ...(frame_ancestors.length === 0 ? [`'none'`] : frame_ancestors)].join(' '),
    `base-uri 'none'`,
  ].join('; ');
  reply
    .header('content-security-policy', policy)
    .header('permissions-policy', permissions)
    .header('cross-origin-opener-policy', 'same-origin')
    .type('text/html; charset=utf-8');
  // This older header cannot name origins. Browsers that know the policy follow it alone.
  if (frame_ancestors.length === 0) reply.header('x-frame-options', 'DENY');
}

const languageLife_s = 365 * 24 * 3_600;

/** Keeps the language that an address names for all pages of this browser (D-1215); null if it names none. */
export function rememberLanguage(reply: FastifyReply): Locale | null {
  const { lang } = reply.request.query as { lang?: unknown };
  if (typeof lang !== 'string' || !isLocale(lang)) return null;
  setCookie(reply, 'lang', lang, { max_age_s: languageLife_s });
  return lang;
}
