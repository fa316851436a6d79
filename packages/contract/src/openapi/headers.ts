import type { HeaderObject } from './model.ts';

/** Headers of answers. */
export const headers = {
  'X-Request-Id': {
    description: 'Identifies this request in the service’s logs. Mention it when you contact support.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate, or which scope is missing.',
    schema: { type: 'string' },
  },
  'Set-Cookie': {
    description: 'The session: HttpOnly, SameSite=Lax and, on HTTPS, Secure.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headers;
