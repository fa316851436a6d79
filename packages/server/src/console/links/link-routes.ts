import { NewPaymentLink } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { reader } from '../../base/input/decode.ts';
import { readInstant } from '../../base/input/instant.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import {
  buildLink,
  closeLink,
  type LinkMark,
  type PaymentLink,
  selectLinkPage,
  statusOfLink,
  storeLink,
} from '../../collection/links/index.ts';
import { runAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

const readNew = reader(NewPaymentLink);

/**
 * A merchant's payment links: list, create, close. A link cannot be edited, so its visitors always see the terms under
 * which it was sent.
 */
export function linkRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock, collection, linkUrl } = deps;
  const show = (link: PaymentLink) => {
    const { merchant_id: _, created_by: _by, expires_at, created_at, closed_at, ...members } = link;
    return {
      ...members,
      url: linkUrl(link.link),
      status: statusOfLink(link, clock.now()),
      expires_at: rfc3339OrNull(expires_at),
      created_at: rfc3339(created_at),
      closed_at: rfc3339OrNull(closed_at),
    };
  };

  app.get<ByMerchant & Listing>('/payment-links', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(request.query, isMark);
    const links = await selectLinkPage(db, merchant_id, after === null ? null : markOf(after), limit + 1);
    return pageOf(links, limit, markText, show);
  });

  app.post<ByMerchant>('/payment-links', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const owner = { merchant_id: merchant.merchant_id, created_by: actor };
    const link = await buildLink(collection, owner, readNew(request.body));
    await runAsMember(deps, request, { actor, action: 'payment_link.create' }, async (tx) => {
      await storeLink(tx, link);
      return { target: `payment_link:${link.link}`, before: null, after: show(link) };
    });
    return reply.code(201).send(show(link));
  });

  app.delete<ByMerchant & { Params: { link: string } }>('/payment-links/:link', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { link } = request.params;
    const { after } = await runAsMember(
      deps,
      request,
      { actor, action: 'payment_link.close' },
      async (tx) => {
        const change = await closeLink(tx, deps, merchant.merchant_id, link);
        return { target: `payment_link:${link}`, before: show(change.before), after: show(change.after) };
      },
    );
    return after;
  });
}

const markText = ({ created_at, link }: LinkMark): string => `${rfc3339(created_at)} ${link}`;

const isMark = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [A-Za-z0-9_-]{36}$/.test(text);

function markOf(text: string): LinkMark {
  const [created_at = '', link = ''] = text.split(' ');
  return { created_at: readInstant('cursor', created_at), link };
}
