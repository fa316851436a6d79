/** `/account`: shows a person their own account, and serves the forms of that page. */
import {
  type AccountContext,
  type Activity,
  renderAccount,
  renderRecoveryCodes,
  type Said,
} from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { setRetryAfter } from '../../http/error-reply.ts';
import { sendPage } from '../../http/page.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { factorsOf, passkeysPossible } from '../factors/index.ts';
import type { AppTokens } from '../password-reset/index.ts';
import { platformRoleOf, type SignedInUser } from '../people/index.ts';
import { browserOf, requireEnrolled, sessionToken, setSession } from '../sessions/index.ts';
import { messageOf, type SignInPageDeps } from '../sign-in/index.ts';
import { requirePassword } from './own-password.ts';

/** The apps that act for a person: oauth/ has them, which this module does not know. */
export interface ConnectedApps extends AppTokens {
  listOf(user_id: string): Promise<(AccountContext['apps'][number] & { merchant_id: string | null })[]>;
  revoke(user_id: string, client_id: string): Promise<boolean>;
  /** Sets the limits of an app by a form. Throws `invalid_request` with `field`, `not_found`. */
  limit(user_id: string, client_id: string, form: URLSearchParams): Promise<void>;
}

/** What a person has and has paid: checkout/ reads it, which this module does not know. */
export type ReadActivity = (person: {
  user_id: string;
  is_staff: boolean;
  apps: readonly { client_id: string; merchant_id: string | null }[];
}) => Promise<Activity>;

export interface AccountRoutesDeps extends SignInPageDeps {
  activityOf: ReadActivity;
  apps: ConnectedApps;
  /** Whether a mail transport is configured. */
  mail: boolean;
  /** Called when a mail was queued. */
  onMail: () => void;
}

/** What the page says after a form succeeded; its address carries the name in `done`. */
const successes = {
  saved: { kind: 'good', key: 'saved' },
  password: { kind: 'good', key: 'password_changed' },
  session: { kind: 'good', key: 'session_ended' },
  sessions: { kind: 'good', key: 'sessions_ended' },
  app: { kind: 'good', key: 'app_removed' },
} as const satisfies Record<string, Said>;

type Success = keyof typeof successes;

const isSuccess = (name: unknown): name is Success =>
  typeof name === 'string' && Object.hasOwn(successes, name);

/** A request of a signed-in person, and its reply. */
export interface Visit {
  user: SignedInUser;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A form that a signed-in person has sent. */
export interface SentForm extends Visit {
  form: URLSearchParams;
}

/** The forms that set up a second factor. */
const enrolmentForms: readonly string[] = ['/totp', '/totp/confirm'];

type FormHandler = (sent: SentForm) => Promise<FastifyReply>;

/** What the routes of the account page share. */
export interface AccountPage {
  /** The person of a request; null where no one is signed in. */
  userOf(request: FastifyRequest): Promise<SignedInUser | null>;
  redirectToSignIn(reply: FastifyReply, more?: { again: '1' }): FastifyReply;
  /** Redirects to the page, which then says what succeeded. */
  redirectDone(reply: FastifyReply, success: Success): FastifyReply;
  /**
   * Registers a form. It needs a session and our own origin (D-121). A refusal is shown on the page, with the status
   * of the refusal.
   */
  form(path: string, handle: FormHandler): void;
  /** Registers a form that also needs the current password. */
  passwordForm(path: string, handle: FormHandler): void;
  /** Gives the browser a new session token, after a change to how the account is protected (H-18). */
  rotateSession(visit: Visit): Promise<void>;
  /** Shows new recovery codes, once. */
  sendRecoveryCodes(visit: Visit, codes: string[]): FastifyReply;
}

/** Registers `GET /account`. */
export function accountPageRoutes(app: FastifyInstance, deps: AccountRoutesDeps): AccountPage {
  const { site } = app;
  const { sessions } = deps;
  const { context, errorHandler } = deps.pages;

  const page: AccountPage = {
    userOf: (request) => sessions.userOf(sessionToken(request)),
    redirectToSignIn(reply, more) {
      const query = new URLSearchParams({ return_to: `${site.base_path}/account`, ...more });
      return reply.redirect(`${site.public_url}/sign-in?${query.toString()}`, 303);
    },
    redirectDone: (reply, success) => reply.redirect(`${site.public_url}/account?done=${success}`, 303),
    form(path, handle) {
      app.post(`/account${path}`, { errorHandler, config: { body: 'form' } }, async (request, reply) => {
        requireSameOrigin(request);
        const user = await page.userOf(request);
        if (user === null) return page.redirectToSignIn(reply);
        const visit = { user, request, reply };
        try {
          if (!enrolmentForms.includes(path)) requireEnrolled(user);
          return await handle({ ...visit, form: request.body as URLSearchParams });
        } catch (refusal) {
          if (!(refusal instanceof AppError) || refusal.status >= 500) throw refusal;
          // The session has ended meanwhile, or it lives but is too old: then the page offers no way on without a sign-in.
          if (refusal.code === 'authentication_required') return page.redirectToSignIn(reply, { again: '1' });
          setRetryAfter(reply, refusal);
          return sendAccount(deps, visit, refusalMessage(refusal), refusal.status);
        }
      });
    },
    passwordForm(path, handle) {
      page.form(path, async (sent) => {
        await requirePassword(deps, sent.user, sent.form.get('password') ?? '');
        return handle(sent);
      });
    },
    async rotateSession({ user, request, reply }) {
      setSession(reply, await sessions.renew(user, browserOf(request)));
    },
    sendRecoveryCodes({ request, reply }, codes) {
      const base = context(request);
      return sendPage(reply, renderRecoveryCodes({ ...base, codes }), { nonce: base.nonce });
    },
  };

  app.get('/account', { errorHandler }, async (request, reply) => {
    const user = await page.userOf(request);
    if (user === null) return page.redirectToSignIn(reply);
    const { done } = request.query as { done?: unknown };
    const hint: Said | undefined = user.must_enrol ? { kind: 'bad', key: 'factor_needed' } : undefined;
    return sendAccount(deps, { user, request, reply }, isSuccess(done) ? successes[done] : hint);
  });
  return page;
}

const fieldWords: Readonly<Record<string, 'name_bad' | 'limit_bad'>> = {
  name: 'name_bad',
  max_per_payment: 'limit_bad',
  max_per_day: 'limit_bad',
};

const refusalMessage = (refusal: AppError): Said | undefined =>
  messageOf(refusal, {
    invalid_credentials: 'password_wrong',
    invalid_request: fieldWords[refusal.detail.field ?? ''] ?? 'password_bad',
    invalid_code: 'factor_wrong',
    second_factor_setup_required: 'factor_needed',
  });

async function sendAccount(
  deps: AccountRoutesDeps,
  { user: { user_id, name, email, role }, request, reply }: Visit,
  said?: Said,
  status = 200,
): Promise<FastifyReply> {
  const [factors, sessions, apps] = await Promise.all([
    factorsOf(deps, user_id),
    deps.sessions.listOf({ user_id, role }, sessionToken(request)),
    deps.apps.listOf(user_id),
  ]);
  const activity = await deps.activityOf({ user_id, is_staff: platformRoleOf(role) !== null, apps });
  const base = deps.pages.context(request);
  const html = renderAccount({
    ...base,
    person: { name, email },
    factors: {
      ...factors,
      passkeys: factors.passkeys.map((key) => ({ ...key, created_at: rfc3339(key.created_at) })),
    },
    passkeys_possible: passkeysPossible(deps.origin),
    sessions: sessions.map(({ signed_in_at, last_used_at, ...session }) => ({
      ...session,
      since: rfc3339(signed_in_at),
      last_used: rfc3339(last_used_at),
    })),
    apps,
    activity,
    said,
  });
  return sendPage(reply, html, { nonce: base.nonce, status });
}
