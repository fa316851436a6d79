import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { Client } from '../../oauth/clients/index.ts';
import type { ScopeApplication } from '../../oauth/scope-applications/index.ts';

/**
 * A client as its merchant sees it, with its latest application for scopes. It does not show who decided.
 *
 * @param now real time, which decides whether a rotated secret is still valid
 */
export const ownClientJson = (client: Client, latest: ScopeApplication | undefined, now: Date) => {
  const { previous_valid_until: until } = client;
  return {
    client_id: client.client_id,
    name: client.name,
    type: client.type,
    scopes: client.scopes,
    redirect_uris: client.redirect_uris,
    allowed_cidrs: client.allowed_cidrs,
    disabled: client.disabled,
    jwks: client.jwks,
    created_at: rfc3339(client.created_at),
    previous_valid_until: until !== null && until > now ? rfc3339(until) : null,
    application:
      latest === undefined
        ? null
        : {
            application_id: latest.application_id,
            scopes: latest.scopes,
            status: latest.status,
            requested_at: rfc3339(latest.requested_at),
            decided_at: rfc3339OrNull(latest.decided_at),
            reason: latest.reason,
            approved_scopes: latest.approved_scopes,
          },
  };
};
