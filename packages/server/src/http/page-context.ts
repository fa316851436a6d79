import {
  type Assets,
  assetsBuilt,
  bareAssets,
  type BaseContext,
  loadAssets,
  negotiateLocale,
  renderMessage,
} from '@paydesk/checkout';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from './cookies.ts';
import { asAppError, setRetryAfter } from './error-reply.ts';
import { pageNonce, sendPage } from './page.ts';

/** What the pages for people (signing in, account, consent) share. */
export interface Pages {
  /** What a page is rendered with: a nonce of its own, the visitor's language, the style. */
  context: (request: FastifyRequest) => BaseContext;
  /** Explains an error on a page. */
  errorHandler: ErrorHandler;
  /** The same, with a link that tries again if the error passes by itself. */
  retryingErrorHandler: (retryUrl: (request: FastifyRequest) => string) => ErrorHandler;
  assets: Assets;
}

type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

export function createPages({ site }: Pick<FastifyInstance, 'site'>): Pages {
  const assets = assetsBuilt() ? loadAssets() : bareAssets;
  const context = (request: FastifyRequest): BaseContext => ({
    nonce: pageNonce(),
    base_path: site.base_path,
    locale: negotiateLocale(request.headers['accept-language'], chosenLanguage(request)),
    assets,
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

/** The language asked for, or chosen before on a checkout page. */
function chosenLanguage(request: FastifyRequest): string | null {
  const { lang } = request.query as { lang?: unknown };
  return typeof lang === 'string' ? lang : readCookie(request.server.site, request.headers.cookie, 'lang');
}
