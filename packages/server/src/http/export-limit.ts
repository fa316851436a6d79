/** Limits how often a person may take a whole list as a file. */
interface ExportLimit<Request> {
  limits: { take(group: 'exports', key: string): Promise<void> };
  /** The person or the key that a request was let in as. */
  actorOf: (request: Request) => string;
}

/** Counts one export, before a list goes out as a file. The call throws `rate_limited` if the limit is reached. */
export const exportLimit =
  <Request>({ limits, actorOf }: ExportLimit<Request>) =>
  (request: Request): Promise<void> =>
    limits.take('exports', actorOf(request));
