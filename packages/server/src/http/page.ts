/** Sends HTML pages with strict security headers. */
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A fresh nonce for the scripts and styles of one page. */
export const pageNonce = (): string => randomBytes(18).toString('base64');

export interface PageOptions {
  /** The nonce of the page's own `<script>` and `<style>` elements. */
  nonce: string;
  status?: number;
  /** Other origins that a form may redirect to: browsers apply `form-action` to redirects (H-17). */
  form_action?: readonly string[];
}

const permissions = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb']
  .map((name) => `${name}=()`)
  .join(', ');

/** Answers with an HTML page. Its policy allows only the page's own scripts, styles and images (H-17, R-382). */
export function sendPage(reply: FastifyReply, html: string, options: PageOptions): FastifyReply {
  const { nonce, status = 200, form_action = [] } = options;
  const policy = [
    `default-src 'none'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    ['form-action', `'self'`, ...form_action].join(' '),
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; ');
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('permissions-policy', permissions)
    .header('x-frame-options', 'DENY')
    .header('cross-origin-opener-policy', 'same-origin')
    .type('text/html; charset=utf-8')
    .send(html);
}
