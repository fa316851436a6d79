import { rfc3339 } from '../base/clock.ts';
import { merchantNo } from '../base/ids.ts';
import type { Client } from '../oauth/client.ts';

/** A client as administrators and the audit log see it: without its secret's digest. */
export const clientJson = (client: Client) => ({
  client_id: client.client_id,
  merchant_no: client.merchant_id === null ? null : merchantNo(client.merchant_id),
  name: client.name,
  type: client.type,
  scopes: client.scopes,
  redirect_uris: client.redirect_uris,
  disabled: client.disabled,
  created_at: rfc3339(client.created_at),
});
