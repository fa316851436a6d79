/**
 * `/account/wallet` and `/account/payments`: all movements and payments of a buyer, page by page; and the bare address, which
 * leads each person to where they work (D-236).
 */
import { renderActivity } from '@paydesk/checkout';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { isInstant } from '../../base/input/instant.ts';
import { cursorOf, readPageRequest } from '../../base/input/list-page.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { readUserBalance, type WalletLineKey } from '../../ledger/books/index.ts';
import { merchantsOf } from '../../merchants/index.ts';
import type { CheckoutVisitor } from '../request/deps.ts';
import { type ActivityDeps, type PaymentKey, readPayments, readWalletPage } from './read-activity.ts';

export interface AccountAreaDeps extends ActivityDeps {
  pages: Pages;
  sessionUser: (cookies: string | undefined) => Promise<(CheckoutVisitor & { role: string }) | null>;
}

export function accountAreaRoutes(app: FastifyInstance, deps: AccountAreaDeps): void {
  const { base_path } = app.site;
  const { context, errorHandler } = deps.pages;
  const signIn = (path: string): string =>
    `${base_path}/sign-in?${new URLSearchParams({ return_to: base_path + path }).toString()}`;

  /** The page of a list, or null on the last one. */
  const nextOf = (path: string, limit: number, key: unknown[] | undefined): string | null =>
    key === undefined
      ? null
      : `${base_path}${path}?${new URLSearchParams({ limit: String(limit), cursor: cursorOf(JSON.stringify(key)) }).toString()}`;

  app.get('/account/wallet', { errorHandler }, async (request, reply) => {
    const visitor = await deps.sessionUser(request.headers.cookie);
    if (visitor === null) return reply.redirect(signIn('/account/wallet'), 303);
    const { limit, after } = pageIn(request, 4);
    const [at = '', subject = '', posting = '', case_key = ''] = after ?? [];
    const from: WalletLineKey | null =
      after === null ? null : { at: new Date(at), subject, posting, case_key };
    const [available, rows] = await Promise.all([
      readUserBalance(deps.db, visitor.user_id),
      readWalletPage(deps, visitor.user_id, from, limit + 1),
    ]);
    const last = rows.length > limit ? rows[limit - 1]?.key : undefined;
    const base = context(request);
    const html = renderActivity({
      ...base,
      available_ptk: formatMinor(available, ptkDecimals),
      list: { lines: rows.slice(0, limit).map(({ shown }) => shown) },
      next: nextOf('/account/wallet', limit, last && [last.at, last.subject, last.posting, last.case_key]),
    });
    return sendPage(reply, html, { nonce: base.nonce });
  });

  app.get('/account/payments', { errorHandler }, async (request, reply) => {
    const visitor = await deps.sessionUser(request.headers.cookie);
    if (visitor === null) return reply.redirect(signIn('/account/payments'), 303);
    const { limit, after } = pageIn(request, 2);
    const [paid_at = '', attempt_id = ''] = after ?? [];
    const from: PaymentKey | null = after === null ? null : { paid_at: new Date(paid_at), attempt_id };
    const rows = await readPayments(deps, visitor.user_id, from, limit + 1);
    const last = rows.length > limit ? rows[limit - 1]?.key : undefined;
    const base = context(request);
    const html = renderActivity({
      ...base,
      available_ptk: '0',
      list: { payments: rows.slice(0, limit).map(({ shown }) => shown) },
      next: nextOf('/account/payments', limit, last && [last.paid_at, last.attempt_id]),
    });
    return sendPage(reply, html, { nonce: base.nonce });
  });

  // People open the bare address: who works in a console goes there, and a buyer to the account.
  app.get('/', { errorHandler }, async (request, reply) => {
    const visitor = await deps.sessionUser(request.headers.cookie);
    if (visitor === null) return reply.redirect(signIn('/'), 303);
    if (visitor.role !== 'user') return reply.redirect(`${base_path}/platform`, 303);
    const merchants = await merchantsOf(deps.db, visitor.user_id);
    return reply.redirect(`${base_path}/${merchants.length > 0 ? 'console' : 'account'}`, 303);
  });
}

/** The limit, and the texts of the key of the last row before the page. */
function pageIn(request: FastifyRequest, parts: number): { limit: number; after: string[] | null } {
  const isKey = (text: string): boolean => keyIn(text, parts) !== null;
  const { limit, after } = readPageRequest(request.query as Record<string, unknown>, isKey);
  return { limit, after: after === null ? null : keyIn(after, parts) };
}

/** The key that a cursor holds: an array of texts, of which the first is a time. */
function keyIn(text: string, parts: number): string[] | null {
  let key: unknown;
  try {
    key = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(key) || key.length !== parts) return null;
  // JSON can write NUL, which the database refuses.
  if (!key.every((part): part is string => typeof part === 'string' && !part.includes('\0'))) return null;
  return isInstant(key[0] ?? '') ? key : null;
}
