/** Why an attempt failed, in words that are stable and tell nothing of the network behind (D-147). */
export type DeliveryError =
  | 'timeout'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'private_target'
  | 'redirect'
  | 'http_error'
  | 'interrupted';

/** What came of one attempt: a status where one was received, an error unless it was a 2xx. */
export interface AttemptOutcome {
  http_status: number | null;
  error: DeliveryError | null;
}

/** Any 2xx acknowledges; a redirect is a failure and is never followed. */
export function outcomeOfStatus(http_status: number): AttemptOutcome {
  if (http_status >= 200 && http_status <= 299) return { http_status, error: null };
  return { http_status, error: http_status >= 300 && http_status <= 399 ? 'redirect' : 'http_error' };
}

export const failedBy = (error: DeliveryError): AttemptOutcome => ({ http_status: null, error });
