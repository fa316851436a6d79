import { createHash } from 'node:crypto';
import { type Client, fromAnywhere, type Person } from '../desks/platform.ts';
import type { TestService } from '../desks/service.ts';
import { hidden, type Visitor, visitorOf } from './visitor.ts';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Gets access tokens that a person has authorized, the way that people do: by signing in and allowing it. */
export interface Authorizer {
  /** @param scope scopes separated by spaces */
  token(scope: string): Promise<string>;
  /** The whole answer, with the ID token where the scopes contain `openid`. */
  tokens(scope: string): Promise<{ access_token: string; id_token?: string }>;
}

/**
 * Signs a person in, once, for any number of tokens of one client.
 *
 * @param client its secret is empty where it is public; its scopes are approved
 * @param redirect_uri one of the client's
 * @param limits what the person types into the form, such as `max_per_day`
 */
export async function authorizerOf(
  service: Pick<TestService, 'url'>,
  person: Person,
  client: Client,
  redirect_uri: string,
  limits: Record<string, string> = {},
): Promise<Authorizer> {
  const browser = visitorOf(service);
  await browser.signIn(person);
  return authorizerIn(browser, service, client, redirect_uri, limits);
}

/** The same for a person who is signed in with a browser. */
export function authorizerIn(
  browser: Visitor,
  service: Pick<TestService, 'url'>,
  { client_id, client_secret }: Client,
  redirect_uri: string,
  limits: Record<string, string> = {},
): Authorizer {
  return {
    token: async (scope) => (await tokens(scope)).access_token,
    tokens,
  };

  async function tokens(scope: string): Promise<{ access_token: string; id_token?: string }> {
    const asked = new URLSearchParams({
      ...{ client_id, redirect_uri, scope, response_type: 'code' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    });
    const start = await browser.get(`${service.url}/oauth/authorize?${asked.toString()}`);
    let page = await browser.follow(start);
    if (page.location === '') {
      const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '';
      const decision = { decision: 'allow', person: hidden(page.html, 'person'), ...limits };
      page = await browser.follow(await browser.post(new URL(action, service.url).href, decision));
    }
    const code = new URL(page.location).searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier: verifier,
      client_id,
    };
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...(client_secret === '' ? {} : { client_secret }) }),
      headers: fromAnywhere(),
    });
    if (answer.status !== 200) throw new Error(`token: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { access_token: string; id_token?: string };
  }
}
