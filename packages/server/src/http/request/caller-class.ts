/** Who calls a route, for the figures of requests. */

/** `person`: signs in, or looks after an account. `operator`: health and metrics. `none`: documentation, files, unknown addresses. */
export const callers = [
  'merchant',
  'console',
  'admin',
  'buyer',
  'person',
  'provider',
  'operator',
  'none',
] as const;
export type Caller = (typeof callers)[number];

/** The callers of routes, by how their templates begin (D-1047). The first that fits counts. */
const beginnings: readonly [start: string, caller: Caller][] = [
  ['/openapi/v1/', 'merchant'],
  ['/oauth/authorize', 'person'],
  ['/oauth/interaction', 'person'],
  ['/oauth/', 'merchant'],
  ['/console', 'console'],
  ['/admin/v1', 'admin'],
  ['/platform', 'admin'],
  ['/checkout/', 'buyer'],
  ['/pay/', 'buyer'],
  ['/orders/', 'buyer'],
  ['/webhooks/', 'provider'],
  ['/session', 'person'],
  ['/sign-', 'person'],
  ['/account', 'person'],
  ['/forgot-password', 'person'],
  ['/reset-password', 'person'],
  ['/invitation', 'person'],
  ['/healthz', 'operator'],
  ['/readyz', 'operator'],
  ['/metrics', 'operator'],
];

/** The class of callers of a route, by its template. */
export const callerOfRoute = (route: string): Caller =>
  beginnings.find(([start]) => route.startsWith(start))?.[1] ?? 'none';
