/** Limits how often a person may export a list as a file. */
interface ExportLimit<Request> {
  limits: { take(group: 'exports', key: string): Promise<void> };
  /** The person or the key that made the request. */
  actorOf: (request: Request) => string;
}

/** Counts one export before the file is sent. Throws `rate_limited` if the limit is reached. */
export const exportLimit =
  <Request>({ limits, actorOf }: ExportLimit<Request>) =>
  (request: Request): Promise<void> =>
    limits.take('exports', actorOf(request));
