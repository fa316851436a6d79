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
import {
  declinePayment,
  default_payer_email,
  paySession,
  type PayRequest,
  testMethod,
} from '../operations/payments.ts';
import { methods, payableBy, wallets } from '../records/methods.ts';
import type { Decline, SessionRecord, SettleOutcome } from '../records/records.ts';
import type { Sim } from '../simulator/sim.ts';
import { StripeError } from '../api/stripe-error.ts';
import { parseForm, type FormTree } from '../api/stripe-form.ts';
import { cardProblems, findTestCard, type CardEffect, type CardForm, type TestCard } from './test-cards.ts';
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
    const [type = '', decision = ''] = textOf(form, 'method').split(':', 2);
    const offered = payableBy(session.payment_method_types);
    if (type !== 'card' && offered.includes(type)) return payByOther(sim, session, reply, type, decision);
    if (offered.includes('card')) return payByCard(sim, session, reply, cardForm(form));
    const alert = 'This page does not offer that method.';
    return sendPage(reply, payPage(session, actionOf(sim, session), cardForm(form), {}, alert), 400);
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

/** Pays by a method without a form of its own, as the payer decided. */
async function payByOther(
  sim: Sim,
  session: SessionRecord,
  reply: FastifyReply,
  type: string,
  decision: string,
): Promise<FastifyReply> {
  const method = testMethod(type);
  const known = methods[type];
  if (known?.manner === 'delayed') {
    const outcome = settledBy[decision] ?? null;
    const auto_settle = outcome === null ? null : { at: sim.clock.seconds() + debit_seconds, outcome };
    return completePayment(sim, session, reply, { method, async: true, auto_settle });
  }
  if (decision !== 'refuse' && decision !== 'expire') {
    return completePayment(sim, session, reply, { method, async: false });
  }
  const name = known?.name ?? wallets[type] ?? type;
  declinePayment(sim, session, method);
  await sim.persistence.save();
  const alert =
    decision === 'expire'
      ? `The code of ${name} has run out. Nothing was charged. Try again or choose another method.`
      : `${name} refused the payment. Nothing was charged. Try again or choose another method.`;
  return sendPage(reply, payPage(session, actionOf(sim, session), firstForm(sim, session), {}, alert), 402);
}

/** How a delayed payment settles by itself. Any other decision waits for the control API. */
const settledBy: { [decision: string]: SettleOutcome } = { succeeds: 'succeeded', fails: 'failed' };

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
      declinePayment(sim, session, cardRequest(card, form.email.trim()).method, declineOf(card.effect));
      await sim.persistence.save();
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

const declineOf = ({ result: _result, ...decline }: CardEffect & { result: 'decline' }): Decline => decline;

function cardRequest(card: TestCard, payer_email: string): PayRequest {
  return {
    method: { type: 'card', brand: card.brand, last4: card.number.slice(-4) },
    async: false,
    payer_email,
  };
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
