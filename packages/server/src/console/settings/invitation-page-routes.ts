/** `/invitation`: the page behind the link of an invitation, where a person accepts it. */
import { renderInvitation } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { sendPage } from '../../http/page.ts';
import type { Pages } from '../../http/page-context.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { acceptInvitation, openInvitation, type Opened } from './invitations.ts';

const statusOf = { open: 200, other: 403, over: 410 } as const;

export function invitationPageRoutes(app: FastifyInstance, deps: ConsoleDeps & { pages: Pages }): void {
  const { public_url, base_path } = app.site;
  const { context, errorHandler } = deps.pages;

  const sendInvitation = (request: FastifyRequest, reply: FastifyReply, token: string, opened: Opened) => {
    const base = context(request);
    const shown =
      opened.state === 'open'
        ? { state: 'open' as const, merchant: opened.merchant.name, role: opened.invitation.role }
        : { state: opened.state };
    const html = renderInvitation({ ...base, token, ...shown });
    return sendPage(reply, html, { nonce: base.nonce, status: statusOf[opened.state] });
  };
  const redirectToSignIn = (reply: FastifyReply, token: string): FastifyReply => {
    const return_to = `${base_path}/invitation?${new URLSearchParams({ token }).toString()}`;
    return reply.redirect(`${public_url}/sign-in?${new URLSearchParams({ return_to }).toString()}`, 303);
  };

  app.get('/invitation', { errorHandler }, async (request, reply) => {
    const { token: given } = request.query as { token?: unknown };
    const token = typeof given === 'string' ? given : '';
    const user = await deps.sessionUser(request.headers.cookie);
    if (user === null) return redirectToSignIn(reply, token);
    return sendInvitation(request, reply, token, await openInvitation(deps, token, user.user_id));
  });

  app.post('/invitation', { errorHandler, config: { body: 'form' } }, async (request, reply) => {
    requireSameOrigin(request);
    const token = (request.body as URLSearchParams).get('token') ?? '';
    const user = await deps.sessionUser(request.headers.cookie);
    if (user === null) return redirectToSignIn(reply, token);
    const opened = await acceptInvitation(deps, token, user.user_id).catch((refusal: unknown): Opened => {
      if (refusal instanceof AppError && refusal.code === 'already_exists') return { state: 'over' };
      throw refusal;
    });
    if (opened.state !== 'open') return sendInvitation(request, reply, token, opened);
    return reply.redirect(`${public_url}/console/merchants/${merchantNo(opened.merchant.merchant_id)}`, 303);
  });
}
