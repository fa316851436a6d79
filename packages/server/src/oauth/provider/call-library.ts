/** Calls the library as a function, so that errors, headers and logs are the same as in the rest of the service. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { InvariantError } from '../../base/errors.ts';
import { libraryRest } from './load-library.ts';

/** The library's answer to a request, not sent yet. */
export interface LibraryAnswer {
  ctx: KoaContextWithOIDC;
  /** The address of the redirect; empty without one. */
  location: string;
  cookies: string[];
  /** The refusal or failure; undefined on success. */
  failure: Error | undefined;
}

export type CallLibrary = (req: IncomingMessage, res: ServerResponse) => Promise<LibraryAnswer>;

/** Makes the function that passes a request to the library and returns its answer instead of sending it. */
export function libraryCaller(provider: Provider): CallLibrary {
  const answers = new WeakMap<IncomingMessage, Omit<LibraryAnswer, 'failure'>>();
  const failures = new WeakMap<IncomingMessage, Error>();
  const note = ({ req }: KoaContextWithOIDC, error: Error): void => {
    failures.set(req, error);
  };
  provider.on('grant.error', note);
  provider.on('revocation.error', note);
  provider.on('authorization.error', note);
  provider.on('server_error', note);
  provider.use(async (ctx, next) => {
    ctx.respond = false;
    ctx.req.headers.accept = 'application/json';
    await next();
    const location = String(ctx.res.getHeader('location') ?? '');
    const cookies = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String);
    for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
    ctx.res.statusMessage = ''; // Node.js then writes the phrase of the status that is sent.
    answers.set(ctx.req, { ctx: ctx as KoaContextWithOIDC, location, cookies });
  });
  const answer = provider.callback();

  return async (req, res) => {
    const end = libraryRest.hold();
    try {
      await answer(req, res);
    } finally {
      end();
    }
    const given = answers.get(req);
    if (given === undefined) throw failures.get(req) ?? new InvariantError('the library gave no answer');
    return { ...given, failure: failures.get(req) };
  };
}
