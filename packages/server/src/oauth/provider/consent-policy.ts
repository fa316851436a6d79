/** When a person is asked, and which scopes a client can get from a person. */
import type { interactionPolicy as Policy, KoaContextWithOIDC } from 'oidc-provider';
import { InvariantError } from '../../base/errors.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { type Client, type FindClient, type Scope, userScopes } from '../clients/index.ts';
import { errors, interactionPolicy } from './load-library.ts';

export interface PolicyDeps {
  findClient: FindClient;
  findMerchant: FindMerchant;
}

/**
 * The person is asked to sign in where no one is signed in, or where the client requires a new sign-in. The person is
 * asked for consent where a requested and approved scope was not allowed before.
 */
export function askingPolicy(deps: PolicyDeps): Policy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const [login, consent] = [policy.get('login'), policy.get('consent')];
  if (login === undefined || consent === undefined)
    throw new InvariantError('oidc-provider has no login or consent prompt');
  // The first check: a request that cannot succeed asks the person nothing.
  login.checks.add(
    new Check('allowed', 'the request asks for something the client may have', async (ctx) => {
      await askedScopes(deps, ctx);
      return Check.NO_NEED_TO_PROMPT;
    }),
    0,
  );
  // These use the library's own rules for scopes. The check for `prompt=consent` stays.
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

/** The scopes of a request that its client can get from a user now. Throws as `grantableScopes` does. */
export async function askedScopes(
  { findClient, findMerchant }: PolicyDeps,
  { oidc }: KoaContextWithOIDC,
): Promise<Scope[]> {
  const client = await findClient(oidc.client?.clientId ?? '');
  if (client === null || !(await mayAct(client, findMerchant))) {
    throw new errors.UnauthorizedClient('the merchant of this client is not active');
  }
  return grantableScopes(client, [...oidc.requestParamScopes]);
}

/**
 * The requested scopes that a client can get from a user: those approved for it, as with its own tokens (D-167).
 *
 * @throws the library's `invalid_scope` where a scope is for client-credentials tokens only (D-171), or nothing remains
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

/** Whether a client may act for people: it has no merchant, or its merchant is active. */
export async function mayAct(client: Client, findMerchant: FindMerchant): Promise<boolean> {
  if (client.merchant_id === null) return true;
  return (await findMerchant(client.merchant_id))?.status === 'active';
}
