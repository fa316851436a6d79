/**
 * The types that describe a call of the service as data. The OpenAPI documents are made of these
 * descriptions.
 */
import type Type from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { HeaderName } from './headers.ts';

/** Groups of calls of the public document, in its order. */
export const tags = [
  {
    name: 'Tokens',
    description:
      'A server gets an access token with its client credentials and sends the token with every call.',
  },
  {
    name: 'Collection orders',
    description:
      'Create an order, send the buyer to its `checkout_url`, and get the result by notification and by reading the ' +
      'order. Only tokens of the client-credentials grant are accepted. The client’s merchant is the merchant of ' +
      'the order.',
  },
  {
    name: 'Catalog',
    description: 'The merchant’s profile and products, for both kinds of tokens.',
  },
  {
    name: 'Catalog orders',
    description:
      'Order a product for a person and pay for it. Only tokens that the person has authorized are accepted: that ' +
      'person is the buyer, and the client’s merchant is the seller. Catalog orders are not collection orders.',
  },
  {
    name: 'Notifications',
    description:
      'Signed messages to your server at every status change, with a record of each delivery. They are optional and ' +
      'do not replace reading orders from time to time.',
  },
  {
    name: 'Checkout',
    description:
      'Calls of the buyer’s page, not for merchants’ servers. Same origin only. The token is in the query of ' +
      '`checkout_url`.',
  },
  {
    name: 'Session',
    description: 'Sign in and out with a cookie that scripts cannot read. Same origin only.',
  },
  {
    name: 'Console',
    description:
      'Calls of the merchant’s console, with the session of a person who works for the merchant. Same origin only. ' +
      'The answer is the same for an unknown merchant and for another person’s merchant.',
  },
] as const;

/** The tag of all calls of the administration’s document. */
export const adminTag = {
  name: 'Administration',
  description:
    'For the holder of an administration key, or a signed-in administrator. Writes from a browser must come from ' +
    'the service’s own pages. The audit log records every write. After ten wrong keys in a minute from one address, ' +
    'further wrong ones get 429. Amounts in PTK are whole numbers of the eighth decimal.',
} as const;

export type Tag = (typeof tags)[number]['name'] | (typeof adminTag)['name'];

/** How a caller authenticates. */
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

/**
 * The number of requests that one caller can make in a window. The window begins with the first request
 * (D-157).
 */
export interface RateLimit {
  /** Calls with the same group share one count. */
  group: string;
  requests: number;
  window_s: number;
  per: 'client' | 'address' | 'account' | 'account and address';
  /** Explains which requests count, if not all do. */
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
  /** 201 for a creation, 202 for an accepted write whose outcome is pending, 200 otherwise (H-28). */
  status: number;
  description: string;
  /** Whether the answer is a CSV file. */
  csv?: boolean;
  /** Whether the answer is a PDF file. */
  pdf?: boolean;
  /** Absent: the body is empty. Several: the body has one of them. */
  schemas?: readonly Type.TSchema[];
  /** Headers in addition to those of every answer. */
  headers?: readonly HeaderName[];
}

/** The address of a call: below the base address, or a separately configured endpoint. */
export type Place = { below: 'base_url'; path: string } | { at: 'token_endpoint' | 'userinfo_endpoint' };

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
    /** Whether the body can be omitted. */
    optional?: boolean;
  };
  successes: readonly Success[];
  errors: readonly ErrorCode[];
  limits: readonly RateLimit[];
}
