/** The session of the signed-in person: reading it, ending it, and proving presence. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { callOf } from './call.ts';
import { answerOf, api } from './client.ts';
import { pageSettings } from './page-settings.ts';
import { textsOf } from '../texts/texts.ts';

const t = textsOf('core');

declare global {
  /** What the page has asked for before the application was there (D-1400). */
  var sessionAnswer: Promise<Response> | undefined;
}

/** Takes the answer that the page has asked for. It holds once. */
function takeAnswer(request: Request): Promise<Response> {
  const answer = globalThis.sessionAnswer ?? fetch(request);
  globalThis.sessionAnswer = undefined;
  return answer;
}

/** The person who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => answerOf(api.GET('/session', { signal, fetch: takeAnswer })),
  staleTime: 60_000,
});

/** Signs out and goes to the sign-in page. Throws ApiError. */
export async function signOut(): Promise<void> {
  await answerOf(api.DELETE('/session'));
  window.location.assign(`${pageSettings.base_path}/sign-in`);
}

/**
 * Proves that the signed-in person is present.
 *
 * @throws ApiError where the password or the code is wrong
 */
export const provePresence = (proof: {
  password?: string;
  code?: string;
  passkey?: unknown;
}): Promise<unknown> => callOf('POST', '/session/reauthenticate', { body: proof });

/** The same by a passkey. Throws ApiError where the person has none here, or stops. */
export async function proveByPasskey(): Promise<unknown> {
  const options = await callOf<PublicKeyCredentialRequestOptionsJSON>('POST', '/session/passkey/options', {
    body: {},
  }).catch(() => null);
  const publicKey = options === null ? null : PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential =
    publicKey === null ? null : await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) {
    throw new ApiError({ status: 0, code: 'no_passkey', message: t('no_passkey_was_used_try_again') });
  }
  return provePresence({ passkey: credential.toJSON() });
}
