/** Whether a receiver of notifications fails: decided from the results of its attempts, in their order (D-217). */
import type { DeliveryError } from '../transport/index.ts';

/** From this number of failed attempts in a row, people are told. */
export const failuresToTell = 2;

/** What is known of a receiver's last attempts. */
export interface ReceiverState {
  /** Failed attempts in a row; 0 after a success. */
  failures: number;
  /** The time of the first of these failures. This and the next members are null while there is none. */
  failing_since: Date | null;
  last_failure_at: Date | null;
  last_http_status: number | null;
  last_error: DeliveryError | null;
}

export const noFailures: ReceiverState = {
  failures: 0,
  failing_since: null,
  last_failure_at: null,
  last_http_status: null,
  last_error: null,
};

/** How one attempt ended. */
export interface ReceiverResult {
  finished_at: Date;
  http_status: number | null;
  error: DeliveryError | null;
}

/** News to tell people, with the state that the news is about. */
export interface ReceiverNews {
  news: 'failing' | 'recovered';
  of: ReceiverState;
}

/** The state after these results, in the order of their ends, and the mail to send: once for each incident. */
export function afterResults(
  before: ReceiverState,
  results: readonly ReceiverResult[],
): { after: ReceiverState; news: ReceiverNews[] } {
  const news: ReceiverNews[] = [];
  let state = before;
  for (const result of results.toSorted((a, b) => a.finished_at.getTime() - b.finished_at.getTime())) {
    if (result.error === null) {
      if (state.failures >= failuresToTell) news.push({ news: 'recovered', of: state });
      state = noFailures;
      continue;
    }
    state = {
      failures: state.failures + 1,
      failing_since: state.failing_since ?? result.finished_at,
      last_failure_at: result.finished_at,
      last_http_status: result.http_status,
      last_error: result.error,
    };
    if (state.failures === failuresToTell) news.push({ news: 'failing', of: state });
  }
  return { after: state, news };
}

/** The receiver at an address: the address without its query, which merchants use to name the order. */
export const endpointOf = (url: string): string => url.split('?', 1)[0] ?? url;
