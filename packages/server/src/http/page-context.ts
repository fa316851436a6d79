import {
  type Assets,
  assetsBuilt,
  bareAssets,
  type BaseContext,
  type Brand,
  isLocale,
  loadAssets,
  type Locale,
  negotiateLocale,
  renderMessage,
} from '@paydesk/checkout';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from './cookies.ts';
import { type Branding, brandingOf, defaultBranding, type LiveBranding } from '../base/settings/index.ts';
import { asAppError, setRetryAfter } from './error-reply.ts';
import { pageNonce, sendPage } from './page.ts';
import { isForPeople, leadBack, pathOf, type UnknownPage } from './unknown-address.ts';

/** What all pages for people (sign-in, account, consent) share. */
export interface Pages {
  /** The context of one page: a new nonce, the visitor's language, the styles. */
  context: (request: FastifyRequest) => BaseContext;
  /** Shows an error as a page. */
  errorHandler: ErrorHandler;
  /** Shows an error as a page, with a link that tries again if the error is temporary. */
  retryingErrorHandler: (retryUrl: (request: FastifyRequest) => string) => ErrorHandler;
  /** Shows that there is no page at this address. */
  unknownPage: UnknownPage;
  assets: Assets;
}

type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

export function createPages(
  { site }: Pick<FastifyInstance, 'site'>,
  branding: Pick<LiveBranding, 'current'> = { current: () => brandingOf(defaultBranding) },
): Pages {
  const assets = assetsBuilt() ? loadAssets() : bareAssets;
  const context = (request: FastifyRequest): BaseContext => ({
    nonce: pageNonce(),
    base_path: site.base_path,
    locale: localeOf(request),
    // So that "Back" onto a refused form leads to the form again (D-408).
    answers_form: request.method === 'POST',
    assets,
    brand: brandOf(branding.current(), site.base_path),
  });
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply, retry_url?: string) => {
    const known = asAppError(error);
    if (known.status >= 500) request.log.error({ err: error }, 'request failed');
    const { code, status } = known;
    // Staff who signed in for the first time asked for a page that they may not see yet (D-940).
    if (code === 'second_factor_setup_required' && request.method === 'GET') {
      return void reply.redirect(`${site.public_url}/account#factor`, 303);
    }
    const retry_after_s = setRetryAfter(reply, known);
    const base = context(request);
    sendPage(reply, renderMessage({ ...base, code, retry_after_s, retry_url }), {
      nonce: base.nonce,
      status,
    });
  };
  const unknownPage: UnknownPage = (request, reply) => {
    request.error_code = 'not_found';
    const base = context(request);
    sendPage(reply, renderMessage({ ...base, code: 'page_not_found' }), { nonce: base.nonce, status: 404 });
  };
  return {
    assets,
    context,
    errorHandler(error, request, reply) {
      // An address that only begins like a page's, such as `/platform/` (D-980).
      const isUnknown = asAppError(error).code === 'not_found' && isForPeople(request, pathOf(request));
      if (isUnknown) leadBack(request.server, unknownPage, request, reply);
      else sendError(error, request, reply);
    },
    unknownPage,
    retryingErrorHandler: (retryUrl) => (error, request, reply) => {
      sendError(error, request, reply, retryUrl(request));
    },
  };
}

const brandOf = (
  { name, logo_path, schemes, support_url, terms_url }: Branding,
  base_path: string,
): Brand => ({
  ...{ name, schemes, support_url, terms_url },
  logo_url: logo_path === null ? null : base_path + logo_path,
});

/** The language of a page. */
export const localeOf = (request: FastifyRequest): Locale => languageOf(request).locale;

/** The language of a page, and the one that the visitor chose: in the query, or before on another page. */
export function languageOf(request: FastifyRequest): { chosen: Locale | null; locale: Locale } {
  const { lang } = request.query as { lang?: unknown };
  const wanted =
    typeof lang === 'string' ? lang : readCookie(request.server.site, request.headers.cookie, 'lang');
  const chosen = wanted !== null && isLocale(wanted) ? wanted : null;
  return { chosen, locale: negotiateLocale(request.headers['accept-language'], chosen) };
}

/** The language of a call that a page's script makes: it says the page's. The cookie may be of another page by now. */
export const calledLocaleOf = (request: FastifyRequest): Locale =>
  negotiateLocale(request.headers['accept-language']);
