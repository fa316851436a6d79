/** One call that the API side saw. `status` is null while, or because, no answer went out. */
export type RequestEntry = {
  id: string;
  created: number;
  method: string;
  path: string;
  endpoint: string | null;
  account: string | null;
  idempotency_key: string | null;
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

/** Remembers the latest `capacity` calls, so that a simulator under load does not grow without bound. */
export function createRequestLog(capacity = 10_000): RequestLog {
  const entries: RequestEntry[] = [];
  return {
    add: (entry) => {
      entries.push(entry);
      if (entries.length > capacity) entries.splice(0, entries.length - capacity);
    },
    items: () => entries,
  };
}
