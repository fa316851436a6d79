/**
 * How a browser shows the checkout token after it has opened the link: scripts send it in a header; the way back from
 * the provider's page and the event stream get it from cookies that hold only for the paths of one order (D-117).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../../http/cookies.ts';

const tokenCookie = 'checkout';
const cookieLife_s = 30 * 24 * 3_600;

/** Says that the payment began in a separate tab, beside a frame. The cookie lives longer than every order. */
const tabCookie = 'tab';
const tabLife_s = 3 * 3_600;

/** The parts of the checkout that get no token in a header or a form: the way back, and the event stream. */
const parts = ['return', 'api'] as const;

/**
 * The token that a script has sent, which no other site can make a browser send (D-117, D-121). Empty if it sent none.
 */
export function headerToken(request: FastifyRequest): string {
  const token = request.headers['x-checkout-token'];
  return typeof token === 'string' ? token : '';
}

/**
 * Gives the browser the token of an order in cookies that hold only for the paths of that order.
 *
 * @param tab whether the buyer comes back into a separate tab, beside a frame
 */
export function rememberToken(reply: FastifyReply, order_no: string, token: string, tab: boolean): void {
  for (const part of parts) {
    const path = cookiePath(reply.server.site.base_path, part, order_no);
    setCookie(reply, tokenCookie, token, { path, max_age_s: cookieLife_s });
  }
  if (!tab) return;
  const path = cookiePath(reply.server.site.base_path, 'return', order_no);
  setCookie(reply, tabCookie, '1', { path, max_age_s: tabLife_s });
}

/** Whether the payment began in a separate tab, beside a frame. */
export function comesIntoTab({ server: { site }, headers }: FastifyRequest, order_no: string): boolean {
  const path = cookiePath(site.base_path, 'return', order_no);
  return readCookie(site, headers.cookie, tabCookie, path) === '1';
}

/** The token that the browser was given for an order; empty if it has none. */
export function rememberedToken(
  request: FastifyRequest,
  part: (typeof parts)[number],
  order_no: string,
): string {
  const { site } = request.server;
  const path = cookiePath(site.base_path, part, order_no);
  return readCookie(site, request.headers.cookie, tokenCookie, path) ?? '';
}

const cookiePath = (base_path: string, part: string, order_no: string): string =>
  `${base_path}/checkout/${part}/${order_no}`;
