import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import type { Client } from '../../oauth/clients/index.ts';
import type { ApplicationWithClient } from '../../oauth/scope-applications/index.ts';

/** A client as administrators and the audit log see it, without the digest of its secret. */
export const clientJson = (client: Client) => ({
  client_id: client.client_id,
  merchant_no: client.merchant_id === null ? null : merchantNo(client.merchant_id),
  name: client.name,
  type: client.type,
  scopes: client.scopes,
  redirect_uris: client.redirect_uris,
  allowed_cidrs: client.allowed_cidrs,
  disabled: client.disabled,
  jwks: client.jwks,
  created_at: rfc3339(client.created_at),
});

/** The scopes that a merchant asks for, together with the client as it is now. */
export const applicationJson = ({ application, client }: ApplicationWithClient) => ({
  application_id: application.application_id,
  client: clientJson(client),
  scopes: application.scopes,
  status: application.status,
  requested_by: application.requested_by,
  requested_at: rfc3339(application.requested_at),
  decided_by: application.decided_by,
  decided_at: rfc3339OrNull(application.decided_at),
  reason: application.reason,
  approved_scopes: application.approved_scopes,
});
