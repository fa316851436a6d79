/**
 * The client-credentials grant: a token for a client whose secret was right.
 */
import type { TokenEndpointGrantContext } from 'oidc-provider';
import { AppError, InvariantError } from '../../base/errors.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { type Client, grantedScopes } from '../clients/index.ts';
import type { ProviderDeps } from './provider.ts';

type GrantContext = TokenEndpointGrantContext<{ scope?: string }>;

/** Issues a token for the granted scopes (D-167) with one insert, without a refresh token. */
export function clientCredentials({ findClient, findMerchant }: ProviderDeps) {
  return async (ctx: GrantContext): Promise<void> => {
    const { client, params, provider } = ctx.oidc;
    const known = await findClient(client.clientId);
    if (known === null) throw new InvariantError('a client vanished while it was authenticated');
    await refuseUnbound(known, findMerchant);
    const scope = grantedScopes(known, params.scope).join(' ');
    const token = new provider.ClientCredentials({ client, scope });
    const access_token = await token.save();
    ctx.body = { access_token, token_type: token.tokenType, expires_in: token.expiration, scope };
  };
}

/** Refuses clients that cannot have such a token (R-313, R-315, D-166). */
async function refuseUnbound(client: Client, findMerchant: FindMerchant): Promise<void> {
  if (client.type === 'public' || client.merchant_id === null) throw new AppError('unauthorized_client');
  const merchant = await findMerchant(client.merchant_id);
  if (merchant?.status !== 'active') throw new AppError('merchant_inactive');
}
