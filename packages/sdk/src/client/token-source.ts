/** Gets and keeps access tokens. */
import { sendWithRetries, withDeadline, type Transport } from './http.ts';
import { PaydeskError } from '../paydesk-error.ts';

export interface TokenRequest {
  token_endpoint: string;
  client_id: string;
  client_secret: string;
  /** Space-separated. */
  scope: string;
  timeout_ms: number;
}

export interface TokenSource {
  endpoint: string;
  /** Returns a token that does not expire soon. Parallel callers share one request. */
  get: () => Promise<string>;
  /** Drops this token, unless it was already replaced or is younger than `min_age_ms`. */
  drop: (token: string, min_age_ms?: number) => void;
}

/** Whether a header can carry the token. */
export const isToken = (token: unknown): token is string =>
  typeof token === 'string' && /^[\x21-\x7e]+$/.test(token);

interface StoredToken {
  token: string;
  obtained_at: number;
  renew_at: number;
}

/**
 * Gets client-credentials tokens and keeps them until shortly before they expire: a tenth of the lifetime, at
 * most a minute, is not used. The lifetime counts from the start of the request, so a slow answer does not
 * extend it. A failed request is not stored.
 */
export function createTokenSource(transport: Transport, request: TokenRequest): TokenSource {
  let stored: StoredToken | undefined;
  let in_flight: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const obtained_at = transport.now();
    const answer = await requestToken(transport, request);
    const lifetime_ms = answer.expires_in * 1000;
    const renew_at = obtained_at + lifetime_ms - Math.min(60_000, lifetime_ms / 10);
    stored = { token: answer.access_token, obtained_at, renew_at };
    return answer.access_token;
  };

  return {
    endpoint: request.token_endpoint,
    get: () => {
      const now = transport.now();
      // If the clock was set back, the age of the token is unknown, so a new one is obtained (D-1428).
      if (stored !== undefined && now >= stored.obtained_at && now < stored.renew_at)
        return Promise.resolve(stored.token);
      in_flight ??= renew().finally(() => {
        in_flight = undefined;
      });
      return in_flight;
    },
    drop: (token, min_age_ms = 0) => {
      if (stored?.token === token && transport.now() - stored.obtained_at >= min_age_ms) stored = undefined;
    },
  };
}

/**
 * Sends one token request with its own time limit, so that a caller that aborts does not abort it for the
 * others.
 */
function requestToken(
  transport: Transport,
  request: TokenRequest,
): Promise<{ access_token: string; expires_in: number }> {
  const { client_id, client_secret, scope } = request;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
  return withDeadline(transport, request.timeout_ms, undefined, async (deadline) => {
    const answer = await sendWithRetries(
      transport,
      {
        method: 'POST',
        url: request.token_endpoint,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: form.toString(),
      },
      deadline,
    );
    const { access_token, expires_in } = answer;
    if (!isToken(access_token) || typeof expires_in !== 'number' || !(expires_in > 0)) {
      const description = 'the token answer lacks access_token or expires_in';
      throw new PaydeskError({ status: 200, code: 'invalid_response', description });
    }
    return { access_token, expires_in };
  });
}
