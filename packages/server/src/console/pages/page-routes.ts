import { isLocale, type Locale } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { sendBuilt } from '../../http/encoding/stored.ts';
import { languageOf, type Pages } from '../../http/page-context.ts';
import { rememberLanguage as keepLanguage, sendPage } from '../../http/page.ts';
import { selectLocale, updateLocale } from '../../identity/people/index.ts';
import { consoleAssets } from './assets.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { consolePage } from './console-page.ts';

/** Every address of the application. The application itself shows unknown pages. */
const addresses = ['/console', '/console/merchants/*', '/platform', '/platform/*'];

type PageDeps = Pick<ConsoleDeps, 'db' | 'branding' | 'mail' | 'sessionUser'> & {
  pages: Pick<Pages, 'context' | 'errorHandler'>;
};

/**
 * The consoles: one page for all addresses below `/console` (merchants) and `/platform` (administrators), and the
 * page's files. The page contains no data; the application loads data through the API.
 */
export function consolePageRoutes(app: FastifyInstance, deps: PageDeps): void {
  const assets = consoleAssets();
  const sendConsole = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (assets === null) {
      throw new AppError('service_unavailable', { description: 'The console is not built: npm run build.' });
    }
    if (await rememberLanguage(deps, request, reply)) return reply.redirect(withoutLanguage(request), 303);
    const { nonce } = deps.pages.context(request);
    const html = consolePage(assets, {
      nonce,
      base_path: app.site.base_path,
      branding: deps.branding.current(),
      locale: await consoleLocale(deps, request),
      path: request.url.split('?', 1)[0] ?? '',
      mail: deps.mail,
    });
    return sendPage(reply, html, { nonce });
  };
  const { errorHandler } = deps.pages;
  for (const path of addresses) app.get(path, { errorHandler }, sendConsole);

  app.get<{ Params: { name: string } }>('/console/assets/:name', async (request, reply) => {
    const asset = assets?.files.get(request.params.name);
    if (asset === undefined) throw new AppError('not_found');
    return sendBuilt(request, reply, asset);
  });
}

/** The language that was chosen in this browser, else the one that the person is known by, else the browser's (D-275). */
async function consoleLocale(deps: PageDeps, request: FastifyRequest): Promise<Locale> {
  const { chosen, locale } = languageOf(request);
  if (chosen !== null) return chosen;
  const person = await deps.sessionUser(request.headers.cookie);
  const known = person === null ? null : await selectLocale(deps.db, person.user_id);
  return known !== null && isLocale(known) ? known : locale;
}

/**
 * The languages' menu leads to the present address with `?lang=`. The choice then holds for all pages of this browser
 * (D-275), for the person's consoles in other browsers and for mails (D-340). Returns whether there was one.
 */
async function rememberLanguage(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const lang = keepLanguage(reply);
  if (lang === null) return false;
  const person = await deps.sessionUser(request.headers.cookie);
  if (person !== null) await updateLocale(deps.db, person.user_id, lang);
  return true;
}

/** The same address without `lang`, so that a copied link leaves another person's language alone. */
function withoutLanguage({ server, url }: FastifyRequest): string {
  const [path = '', search] = url.split('?', 2);
  const query = new URLSearchParams(search);
  query.delete('lang');
  return `${server.site.base_path}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
}
