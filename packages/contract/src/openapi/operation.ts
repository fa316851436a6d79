/** The calls of the service as data: what the reference document is made of. */
import type Type from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { HeaderName } from './headers.ts';

/** Groups of calls, in the order of the document. */
export const tags = [
  {
    name: 'Tokens',
    description:
      'A server gets an access token with the credentials of its client and sends it with every call.',
  },
  {
    name: 'Collection orders',
    description:
      'Create an order, send the buyer to its `checkout_url`, and learn the result by notification and by reading. ' +
      'Only tokens of the client-credentials grant are accepted; the merchant is the one that the client is bound to.',
  },
  {
    name: 'Catalog',
    description: 'Who the merchant is and what it sells, for tokens of either kind.',
  },
  {
    name: 'Catalog orders',
    description:
      'Order a product for a person and pay it. Only tokens that the person has authorized are accepted: the buyer is ' +
      'that person, the merchant the one that the client is bound to. Catalog orders are no collection orders.',
  },
  {
    name: 'Notifications',
    description:
      'Signed messages to your server at every status change, with a record of each delivery. Optional, and no ' +
      'substitute for reading orders now and then.',
  },
  {
    name: 'Checkout',
    description:
      'What the buyer’s page calls; a merchant’s server has no use for it. Same origin only. The token is the one ' +
      'in the query of `checkout_url`.',
  },
  {
    name: 'Session',
    description: 'Signing in and out, by a cookie that scripts cannot read. Same origin only.',
  },
  {
    name: 'Console',
    description:
      'What the merchant’s console calls, with the session of one of the merchant’s people. Same origin only. A merchant that ' +
      'does not exist and one of somebody else answer the same.',
  },
] as const;

/** The tag of the calls that stand in a document of their own. */
export const adminTag = {
  name: 'Administration',
  description:
    'For the holder of the administration key, or a signed-in administrator, from whose browser writes must come from ' +
    'our own pages. Every write is in the audit log. Amounts in PTK are whole numbers of its eighth decimal.',
} as const;

export type Tag = (typeof tags)[number]['name'] | (typeof adminTag)['name'];

/** How a caller shows who it is. */
export type Security =
  | { by: 'merchant_token'; scope: string }
  | { by: 'user_token'; scope: string }
  /** A token of either kind. */
  | { by: 'any_token'; scope: string }
  | { by: 'client_credentials' }
  | { by: 'checkout_token' }
  | { by: 'session_cookie' }
  | { by: 'administrator' }
  | { by: 'nothing' };

/** Requests that one caller may make in a window, which begins with the first of them. */
export interface RateLimit {
  /** Calls with the same group share one count. */
  group: string;
  requests: number;
  window_s: number;
  per: 'client' | 'address' | 'account';
  /** Said where not every request counts. */
  counts?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Type.TSchema;
  example?: string;
}

export interface Success {
  status: number;
  description: string;
  /** The answer is a table: its lines, the first of them the names of its columns. */
  csv?: boolean;
  /** Absent: an empty body. Several: one of them. */
  schemas?: readonly Type.TSchema[];
  /** Headers that it carries beside those of every answer. */
  headers?: readonly HeaderName[];
}

/** Where a call is: below the base address, or at an address that is assigned by itself. */
export type Place = { below: 'base_url'; path: string } | { at: 'token_endpoint' };

export interface Operation {
  id: string;
  tag: Tag;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  place: Place;
  summary: string;
  description: string;
  security: Security;
  parameters?: readonly Parameter[];
  body?: {
    type: 'application/json' | 'application/x-www-form-urlencoded';
    schema: Type.TSchema;
    /** Whether the call can do without. */
    optional?: boolean;
  };
  successes: readonly Success[];
  errors: readonly ErrorCode[];
  limits: readonly RateLimit[];
}
