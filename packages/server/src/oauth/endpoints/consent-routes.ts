/** The consent page, where people let clients act for them (D-171). The library turns the answer into the redirect to the client. */
import { type ConsentContext, renderConsent } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordAct } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { isPageOfBrowser, requireSameOrigin } from '../../http/same-origin.ts';
import {
  type AppLimits,
  insertConsent,
  limitText,
  noLimits,
  readLimits,
  selectConsent,
} from '../consents/index.ts';
import { interactionPath, signInPath, type Visitor } from '../provider/index.ts';
import type { FindVisitor } from './authorize-routes.ts';
import { createInteractions, type InteractionDeps, type PendingRequest } from './interactions.ts';

export interface ConsentDeps extends InteractionDeps {
  ids: IdSource;
  pages: Pages;
  findVisitor: FindVisitor;
}

type Ask = { Params: { uid: string } };

export function consentRoutes(app: FastifyInstance, deps: ConsentDeps): void {
  const { findVisitor } = deps;
  const { site } = app;
  const { errorHandler } = deps.pages;
  const interactions = createInteractions(deps);

  app.get<Ask>(`${interactionPath}/:uid`, { errorHandler }, async (request, reply) => {
    const asked = await interactions.find(request, reply, request.params.uid);
    const visitor = await findVisitor(request.headers.cookie);
    if (visitor === null || interactions.wantsNewSignIn(asked, visitor)) {
      const query = new URLSearchParams({ return_to: `${site.base_path}${interactionPath}/${asked.uid}` });
      if (visitor !== null) query.set('again', '1');
      return reply.redirect(`${site.public_url}${signInPath}?${query.toString()}`, 303);
    }
    if (await interactions.isAllowed(asked, visitor)) {
      return reply.redirect(await interactions.allow(request, reply, asked, visitor), 303);
    }
    return sendConsent(deps, request, reply, { asked, visitor });
  });

  app.post<Ask>(
    `${interactionPath}/:uid`,
    { errorHandler, config: { body: 'form' } },
    async (request, reply) => {
      requireSameOrigin(request);
      const form = request.body as URLSearchParams;
      const decision = form.get('decision');
      const asked = await interactions.find(request, reply, request.params.uid);
      const visitor = await findVisitor(request.headers.cookie);
      if (decision === 'deny')
        return leadOn(request, reply, visitor, await interactions.deny(request, reply));
      if (decision !== 'allow') throw new AppError('invalid_request');
      // The person has signed out or must sign in again: the page decides again.
      if (visitor === null || interactions.wantsNewSignIn(asked, visitor)) {
        return reply.redirect(`${site.public_url}${interactionPath}/${asked.uid}`, 303);
      }
      // The signed-in person must be the one whom the page named, and the scopes those that it named (D-1246).
      const scopes = asked.scopes.join(' ');
      if (form.get('person') !== visitor.user_id || (form.get('scopes') ?? scopes) !== scopes) {
        return reply.redirect(`${site.public_url}${interactionPath}/${asked.uid}`, 303);
      }
      try {
        await keepConsent(deps, asked, visitor, form);
      } catch (refusal) {
        if (!(refusal instanceof AppError) || refusal.code !== 'invalid_request') throw refusal;
        return sendConsent(deps, request, reply, { asked, visitor, typed: form });
      }
      return leadOn(request, reply, visitor, await interactions.allow(request, reply, asked, visitor));
    },
  );
}

/**
 * Goes on after the form of the consent page. A browser goes over the sign-in page, which ends the chain of redirects: it
 * refuses a form whose redirects come to a site that the policy of its page does not name, and an app may send it on to
 * another site (D-931).
 */
function leadOn(
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Visitor | null,
  address: string,
): FastifyReply {
  if (visitor === null || !isPageOfBrowser(request)) return reply.redirect(address, 303);
  const query = new URLSearchParams({ return_to: new URL(address).pathname });
  return reply.redirect(`${reply.server.site.public_url}${signInPath}?${query.toString()}`, 303);
}

/** Whether a client may pay from the person's balance: then the person can limit it. */
const mayPay = ({ scopes }: PendingRequest): boolean => scopes.includes('payments.create');

/**
 * Stores the consent with its limits, and tells the audit log (D-976). Limits that the form does not have stay. Throws
 * `invalid_request`.
 */
async function keepConsent(
  deps: ConsentDeps,
  asked: PendingRequest,
  { user_id }: Visitor,
  form: URLSearchParams,
): Promise<void> {
  const { client_id } = asked.client;
  const { scopes } = asked;
  const limits = mayPay(asked) && form.has('max_per_payment') ? readLimits(form) : null;
  const person = `user:${user_id}`;
  await deps.db.transaction(async (tx) => {
    await insertConsent(tx, { user_id, client_id, scopes, given_at: deps.clock.now(), limits });
    const after = { client_id, scopes, ...(limits && textsOf(limits)) };
    await recordAct(tx, deps, { actor: person, action: 'app.allow', target: person, after });
  });
}

const textsOf = ({ max_per_payment, max_per_day }: AppLimits) => ({
  max_per_payment: limitText(max_per_payment),
  max_per_day: limitText(max_per_day),
});

/**
 * Sends the page that asks the person whether the client may act for them.
 *
 * @param typed a form with invalid limits: it is shown again
 */
async function sendConsent(
  { db, pages }: ConsentDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { asked, visitor, typed }: { asked: PendingRequest; visitor: Visitor; typed?: URLSearchParams },
): Promise<FastifyReply> {
  const { uid, client, merchant, scopes, redirect_uri } = asked;
  const { user_id, name } = visitor;
  const base = pages.context(request);
  const before = (await selectConsent(db, user_id, client.client_id)) ?? noLimits;
  const { origin, host } = new URL(redirect_uri);
  const page: ConsentContext = {
    ...base,
    action: `${base.base_path}${interactionPath}/${uid}`,
    sign_in_path: base.base_path + signInPath,
    client: client.name,
    merchant: merchant?.name ?? null,
    scopes,
    person: { user_id, name },
    host,
    limits: mayPay(asked)
      ? {
          max_per_payment: typed?.get('max_per_payment') ?? limitText(before.max_per_payment),
          max_per_day: typed?.get('max_per_day') ?? limitText(before.max_per_day),
        }
      : null,
    said: typed === undefined ? undefined : { kind: 'bad', key: 'limit_bad' },
  };
  const status = typed === undefined ? 200 : 400;
  return sendPage(reply, renderConsent(page), { nonce: base.nonce, status, form_action: [origin] });
}
