/** How an HTTP delivery ended, in the words of the API. */
/** Why an attempt failed. The words are stable and reveal nothing about the network (D-147). */
export type DeliveryError =
  | 'timeout'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'private_target'
  | 'redirect'
  | 'http_error'
  | 'interrupted';

/** The outcome of one attempt: a status where one was received, and an error unless the status was 2xx. */
export interface DeliveryOutcome {
  http_status: number | null;
  error: DeliveryError | null;
}

/** Any 2xx acknowledges. A redirect is a failure and is never followed (R-274, R-276, D-152). */
export function outcomeOfStatus(http_status: number): DeliveryOutcome {
  if (http_status >= 200 && http_status <= 299) return { http_status, error: null };
  return { http_status, error: http_status >= 300 && http_status <= 399 ? 'redirect' : 'http_error' };
}

/** The outcome of an attempt without an HTTP status. */
export const failedBy = (error: DeliveryError): DeliveryOutcome => ({ http_status: null, error });
