/** The routes of the hosted payment page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendAfterAnswer } from '../api/answers.ts';
import {
  challengePage,
  completePage,
  expiredPage,
  payPage,
  prefilledForm,
  problemPage,
  unknownPage,
} from './page.ts';
import { content_security_policy } from './page-style.ts';
import { default_payer_email, paySession, type PayRequest } from '../operations/payments.ts';
import type { SessionRecord, SettleOutcome } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { StripeError } from '../api/stripe-error.ts';
import { parseForm, type FormTree } from '../api/stripe-form.ts';
import { cardProblems, findTestCard, type CardForm, type TestCard } from './test-cards.ts';
import { sessionPageUrl } from '../api/wire.ts';

/** Seconds until an asynchronous payment of the page settles by itself. */
const debit_seconds = 3;
const challenge_card = '4000002760003184';

/** Registers the hosted payment pages under `/c/pay`. */
export function registerPages(app: FastifyInstance, sim: Sim): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body);
    },
  );
  app.addHook('onSend', async (_request, reply) => {
    void reply.headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': content_security_policy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    return Promise.resolve();
  });

  app.setErrorHandler((error: unknown, _request, reply) => {
    const known = error instanceof StripeError ? error.status : (error as { statusCode?: number }).statusCode;
    return sendPage(reply, problemPage(), known ?? 500);
  });

  app.get('/c/pay/:id', (request, reply) => {
    const session = openSession(sim, request, reply);
    if (session === undefined) return reply;
    return sendPage(reply, payPage(session, actionOf(sim, session), firstForm(sim, session)));
  });
  app.post('/c/pay/:id', async (request, reply) => {
    const session = openSession(sim, request, reply);
    if (session === undefined) return reply;
    const form = parseForm(typeof request.body === 'string' ? request.body : '');
    const method = textOf(form, 'method');
    const outcome = debitOutcome(method);
    if (outcome !== undefined) return completePayment(sim, session, reply, debitRequest(sim, outcome));
    return payByCard(sim, session, reply, cardForm(form));
  });
  app.get('/c/pay/:id/challenge', (request, reply) => {
    const session = openSession(sim, request, reply);
    if (session === undefined) return reply;
    if (session.challenge_email === null) return reply.redirect(actionOf(sim, session), 303);
    return sendPage(reply, challengePage(session, `${actionOf(sim, session)}/challenge`));
  });
  app.post('/c/pay/:id/challenge', async (request, reply) => {
    const session = openSession(sim, request, reply);
    if (session === undefined) return reply;
    if (session.challenge_email === null) return reply.redirect(actionOf(sim, session), 303);
    const form = parseForm(typeof request.body === 'string' ? request.body : '');
    const payer_email = session.challenge_email;
    session.challenge_email = null;
    const card = findTestCard(challenge_card);
    if (textOf(form, 'decision') === 'complete' && card !== undefined) {
      return completePayment(sim, session, reply, cardRequest(card, payer_email));
    }
    await sim.persistence.save();
    const alert = 'We could not authenticate your card. Try again or use a different one.';
    return sendPage(reply, payPage(session, actionOf(sim, session), firstForm(sim, session), {}, alert), 402);
  });
}

async function payByCard(
  sim: Sim,
  session: SessionRecord,
  reply: FastifyReply,
  form: CardForm,
): Promise<FastifyReply> {
  const action = actionOf(sim, session);
  const problems = cardProblems(form, sim.clock.seconds());
  if (Object.keys(problems).length > 0) return sendPage(reply, payPage(session, action, form, problems), 422);
  const card = findTestCard(form.number);
  if (card === undefined) {
    const alert = 'Your card was declined. This page accepts only the test cards below.';
    return sendPage(reply, payPage(session, action, form, {}, alert), 402);
  }
  switch (card.effect.result) {
    case 'success':
      return completePayment(sim, session, reply, cardRequest(card, form.email.trim()));
    case 'decline':
      return sendPage(reply, payPage(session, action, form, {}, card.effect.message), 402);
    case 'challenge':
      session.challenge_email = form.email.trim();
      await sim.persistence.save();
      return reply.redirect(`${action}/challenge`, 303);
  }
}

/** Pays the session and redirects the payer to the merchant’s `success_url`. The webhook follows. */
async function completePayment(
  sim: Sim,
  session: SessionRecord,
  reply: FastifyReply,
  request: PayRequest,
): Promise<FastifyReply> {
  const event = paySession(sim, session, request);
  sendAfterAnswer(sim, reply, [event]);
  await sim.persistence.save();
  return reply.redirect(successUrl(session), 303);
}

function cardRequest(card: TestCard, payer_email: string): PayRequest {
  return {
    method: { type: 'card', brand: card.brand, last4: card.number.slice(-4) },
    async: false,
    payer_email,
  };
}

function debitRequest(sim: Sim, outcome: SettleOutcome | null): PayRequest {
  const auto_settle = outcome === null ? null : { at: sim.clock.seconds() + debit_seconds, outcome };
  return { method: { type: 'sepa_debit', last4: '3000' }, async: true, auto_settle };
}

/** The outcome of a bank debit: null if it waits; undefined if the method is not a bank debit. */
function debitOutcome(method: string): SettleOutcome | null | undefined {
  if (method === 'debit_succeeds') return 'succeeded';
  if (method === 'debit_fails') return 'failed';
  return method === 'debit_pending' ? null : undefined;
}

/** Returns the session if it can be paid. Otherwise sends a page that explains why not. */
function openSession(sim: Sim, request: FastifyRequest, reply: FastifyReply): SessionRecord | undefined {
  const session = sim.store.sessions.get((request.params as { id: string }).id);
  if (session?.status === 'open') return session;
  if (session === undefined) sendPage(reply, unknownPage(), 404);
  else if (session.status === 'expired') sendPage(reply, expiredPage(session), 410);
  else sendPage(reply, completePage(session, successUrl(session)));
  return undefined;
}

function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

/** The path of the payment page, including the path prefix of a proxy. */
function actionOf(sim: Sim, session: SessionRecord): string {
  return new URL(sessionPageUrl(sim.publicUrl(), session.id)).pathname;
}

function successUrl(session: SessionRecord): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function firstForm(sim: Sim, session: SessionRecord): CardForm {
  return prefilledForm(session.customer_email ?? default_payer_email, sim.clock.seconds());
}

function cardForm(form: FormTree): CardForm {
  return {
    number: textOf(form, 'cardNumber'),
    expiry: textOf(form, 'cardExpiry'),
    cvc: textOf(form, 'cardCvc'),
    email: textOf(form, 'email'),
  };
}

function textOf(form: FormTree, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}
