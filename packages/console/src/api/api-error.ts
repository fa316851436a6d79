/** The failure of a call: an error of the service, or no answer. */
export class ApiError extends Error {
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  /** The code that the contract names; `network` if no answer came. */
  readonly code: string;
  /** The member of the request that was refused, or null. */
  readonly field: string | null;
  readonly retry_after_s: number | null;

  constructor(of: {
    status: number;
    code: string;
    message: string;
    field?: string | null;
    retry_after_s?: number | null;
  }) {
    super(of.message);
    this.name = 'ApiError';
    this.status = of.status;
    this.code = of.code;
    this.field = of.field ?? null;
    this.retry_after_s = of.retry_after_s ?? null;
  }
}

/** Reads the contract's error shape from any answer. */
export function apiErrorOf(response: Response, body: unknown): ApiError {
  const { error, error_description, field } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Record<string, unknown>;
  const retry = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: typeof error === 'string' ? error : 'unreadable_answer',
    message:
      typeof error_description === 'string'
        ? error_description
        : `The service answered ${response.status} without saying why.`,
    field: typeof field === 'string' ? field : null,
    retry_after_s: Number.isFinite(retry) ? retry : null,
  });
}

/** The message for a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong in this page. Load it again.';
  if (error.code === 'rate_limited' && error.retry_after_s !== null) {
    return `Too many requests: try again in ${error.retry_after_s} seconds.`;
  }
  if (error.code === 'reauthentication_required') return 'You did not confirm that it is you.';
  return error.message;
}
