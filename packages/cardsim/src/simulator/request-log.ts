/** One call of the API. `status` is null if no answer was sent. */
export type RequestEntry = {
  id: string;
  created: number;
  method: string;
  path: string;
  endpoint: string | null;
  account: string | null;
  idempotency_key: string | null;
  /** The header of W3C Trace Context. */
  traceparent: string | null;
  replayed: boolean;
  params: unknown;
  fault: string | null;
  status: number | null;
};

export type RequestLog = {
  add: (entry: RequestEntry) => void;
  /** Oldest first. */
  items: () => RequestEntry[];
};

/** Maximum number of calls that are kept, which bounds the memory under load. */
const capacity = 10_000;

/** Creates a log of the latest calls. */
export function createRequestLog(): RequestLog {
  const entries: RequestEntry[] = [];
  return {
    add: (entry) => {
      entries.push(entry);
      if (entries.length > capacity) entries.splice(0, entries.length - capacity);
    },
    items: () => entries,
  };
}
