import type { interactionPolicy as Policy, KoaContextWithOIDC } from 'oidc-provider';
import { InvariantError } from '../../base/errors.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { type Client, type FindClient, type Scope, userScopes } from '../clients/index.ts';
import { errors, interactionPolicy } from './library.ts';

export interface PolicyDeps {
  findClient: FindClient;
  findMerchant: FindMerchant;
}

/**
 * When a person is asked: to sign in, where nobody is or the client wants it anew; for consent, where a scope that
 * the request asks for and the client may have was not allowed before.
 */
export function askingPolicy(deps: PolicyDeps): Policy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const [login, consent] = [policy.get('login'), policy.get('consent')];
  if (login === undefined || consent === undefined)
    throw new InvariantError('a prompt of the library is gone');
  // The first check of all: a request that cannot succeed troubles nobody.
  login.checks.add(
    new Check('allowed', 'the request asks for something the client may have', async (ctx) => {
      await askedScopes(deps, ctx);
      return Check.NO_NEED_TO_PROMPT;
    }),
    0,
  );
  // Those of the library's own notion of scopes; the one by which a request itself asks to be asked stays.
  for (const reason of [
    'native_client_prompt',
    'op_scopes_missing',
    'op_claims_missing',
    'rs_scopes_missing',
    'rar_prompt',
  ]) {
    consent.checks.remove(reason);
  }
  consent.checks.add(
    new Check('scopes_missing', 'the person has to allow it', 'consent_required', async (ctx) => {
      const granted = (ctx.oidc.grant?.getOIDCScope() ?? '').split(' ');
      const asked = await askedScopes(deps, ctx);
      return asked.some((scope) => !granted.includes(scope));
    }),
  );
  return policy;
}

/** The scopes of a request that its client may have from a user, now. Throws as `grantableScopes` does. */
export async function askedScopes(
  { findClient, findMerchant }: PolicyDeps,
  { oidc }: KoaContextWithOIDC,
): Promise<Scope[]> {
  const client = await findClient(oidc.client?.clientId ?? '');
  if (client === null || !(await actsForSomeone(client, findMerchant))) {
    throw new errors.UnauthorizedClient('the merchant of this client is not active');
  }
  return grantableScopes(client, [...oidc.requestParamScopes]);
}

/**
 * What a client can get of the scopes that it asks a user for: those approved for it, as with its own tokens (D-167).
 *
 * @throws the library's `invalid_scope` where a scope is for servers alone (D-171), or nothing remains
 */
export function grantableScopes(client: Pick<Client, 'scopes'>, asked: readonly string[]): Scope[] {
  const forServers = asked.find((scope) => scope.startsWith('merchant_payments.'));
  if (forServers !== undefined) {
    throw new errors.InvalidScope('this scope belongs to the client-credentials grant', forServers);
  }
  const granted = userScopes.filter((scope) => asked.includes(scope) && client.scopes.includes(scope));
  if (granted.length === 0) throw new errors.InvalidScope('no scope asked for is approved', asked.join(' '));
  return granted;
}

/** A client without a merchant may sign people in; one whose merchant is not active may nothing. */
export async function actsForSomeone(client: Client, findMerchant: FindMerchant): Promise<boolean> {
  if (client.merchant_id === null) return true;
  return (await findMerchant(client.merchant_id))?.status === 'active';
}
