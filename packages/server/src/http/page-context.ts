import {
  type Assets,
  assetsBuilt,
  bareAssets,
  type BaseContext,
  type Brand,
  loadAssets,
  negotiateLocale,
  renderMessage,
} from '@paydesk/checkout';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from './cookies.ts';
import { type Branding, brandingOf, defaultBranding, type LiveBranding } from '../base/settings/index.ts';
import { asAppError, setRetryAfter } from './error-reply.ts';
import { pageNonce, sendPage } from './page.ts';

/** What all pages for people (sign-in, account, consent) share. */
export interface Pages {
  /** The context of one page: a new nonce, the visitor's language, the styles. */
  context: (request: FastifyRequest) => BaseContext;
  /** Shows an error as a page. */
  errorHandler: ErrorHandler;
  /** Shows an error as a page, with a link that tries again if the error is temporary. */
  retryingErrorHandler: (retryUrl: (request: FastifyRequest) => string) => ErrorHandler;
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
    locale: negotiateLocale(request.headers['accept-language'], chosenLanguage(request)),
    assets,
    brand: brandOf(branding.current(), site.base_path),
  });
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply, retry_url?: string) => {
    const known = asAppError(error);
    if (known.status >= 500) request.log.error({ err: error }, 'request failed');
    const { code, status } = known;
    const retry_after_s = setRetryAfter(reply, known);
    const base = context(request);
    sendPage(reply, renderMessage({ ...base, code, retry_after_s, retry_url }), {
      nonce: base.nonce,
      status,
    });
  };
  return {
    assets,
    context,
    errorHandler(error, request, reply) {
      sendError(error, request, reply);
    },
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

/** The language in the query, or the one that the visitor chose before on a checkout page. */
function chosenLanguage(request: FastifyRequest): string | null {
  const { lang } = request.query as { lang?: unknown };
  return typeof lang === 'string' ? lang : readCookie(request.server.site, request.headers.cookie, 'lang');
}
