import { fromAnywhere, type Person } from '../desks/platform.ts';
import type { TestService } from '../desks/service.ts';

/**
 * Behaves like a program that stands for a browser: keeps cookies by name and path, sends forms, follows redirects on
 * request.
 */
export interface Visitor {
  /** Follows nothing. */
  get(address: string, headers?: Record<string, string>): Promise<Page>;
  post(address: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Follows redirects that stay with the service; answers the last page, or the redirect that leads away. */
  follow(page: Page): Promise<Page>;
  signIn(person: Person): Promise<void>;
  cookies: Map<string, string>;
}

export interface Page {
  status: number;
  /** Where it redirects to, as an absolute address; empty otherwise. */
  location: string;
  html: string;
  headers: Headers;
}

/** @param cookie of a session, as in a `Cookie` header; absent: no one is signed in */
export function visitorOf(service: Pick<TestService, 'url'>, cookie?: string): Visitor {
  const { origin } = new URL(service.url);
  const cookies = new Map<string, string>();
  if (cookie !== undefined) keep(cookies, cookie);
  const from = fromAnywhere();

  async function ask(address: string, init: RequestInit, more: Record<string, string>): Promise<Page> {
    const url = new URL(address, `${service.url}/`);
    const sent = [...cookies].filter(([key]) => url.pathname.startsWith(key.split('|')[1] ?? ''));
    const cookie = sent.map(([key, value]) => `${key.split('|')[0] ?? ''}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...from, ...(cookie === '' ? {} : { cookie }), ...more },
    });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? '' : new URL(location, url).href,
      html: await response.text(),
      headers: response.headers,
    };
  }

  const get: Visitor['get'] = (address, headers = {}) => ask(address, { method: 'GET' }, headers);
  const post: Visitor['post'] = (address, form, headers = {}) =>
    ask(address, { method: 'POST', body: new URLSearchParams(form) }, { origin, ...headers });
  return {
    cookies,
    get,
    post,
    async follow(page) {
      let current = page;
      for (let hops = 0; hops < 10 && current.location.startsWith(service.url); hops++) {
        current = await get(current.location);
      }
      return current;
    },
    async signIn({ email, password }) {
      const page = await post(`${service.url}/sign-in`, { email, password, return_to: '/sign-in' });
      if (page.status !== 303 || page.html !== '') throw new Error(`sign-in: ${page.status} ${page.html}`);
    },
  };
}

/** Cookies by name and path, as browsers tell them apart. */
function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const attribute = (wanted: string): string | undefined =>
    attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
  const key = `${name}|${attribute('path') ?? '/'}`;
  const over = attribute('max-age') === '0' || (attribute('expires') ?? '').includes(' 1970 ');
  if (over || value === '') cookies.delete(key);
  else cookies.set(key, value);
}

/** The value of a hidden field of a page. */
export function hidden(html: string, name: string): string {
  const found = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1];
  if (found === undefined) throw new Error(`no field ${name} in ${html.slice(0, 2_000)}`);
  return found.replaceAll('&amp;', '&');
}

/** The text of a page. */
export const wordsOf = (html: string): string =>
  html
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', '’')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
