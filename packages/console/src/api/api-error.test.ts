import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as ApiErrors from './api-error.ts';

let errors: typeof ApiErrors;
beforeAll(async () => {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { lang: 'en', dir: 'ltr', dataset: {} } });
  const { loadTexts } = await import('../texts/texts.ts');
  errors = await import('./api-error.ts');
  vi.unstubAllGlobals();
  await loadTexts(['core']);
});

// Files share a worker: the next one begins without these modules.
afterAll(() => vi.resetModules());

test.each([
  ['a field that is refused', 400, 'invalid_request', 'name', false],
  ['a role that is missing', 403, 'role_required', undefined, false],
  ['a state that has changed', 409, 'already_decided', undefined, false],
  ['a fault of the service', 500, 'server_error', undefined, true],
  ['a call that the console built wrongly', 400, 'invalid_request', undefined, true],
  ['an answer that cannot be decoded', 413, undefined, undefined, true],
])('D-532 %s names its request only if the support may need it', (_what, status, error, field, isNamed) => {
  const body = error === undefined ? 'proxy' : { error, error_description: 'So it is.', field };
  const response = new Response(null, { status, headers: { 'x-request-id': 'req-7' } });
  const message = errors.messageOf(errors.apiErrorOf(response, body));
  expect(message.endsWith(' Request ID: req-7')).toBe(isNamed);
  expect(message.startsWith(error === undefined ? 'The service answered' : 'So it is.')).toBe(true);
});
