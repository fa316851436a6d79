/** The members of a new `PaydeskError`. Only `status` and `code` are required. */
export interface PaydeskErrorInit {
  status: number;
  code: string;
  description?: string | undefined;
  field?: string | undefined;
  retry_after_s?: number | undefined;
  request_id?: string | undefined;
  cause?: unknown;
}

/**
 * The only error that calls to the service reject with. Branch on `status` and `code`, never on the text.
 *
 * `status` is the HTTP status, or 0 if no answer arrived. `code` is the service’s `error`, or one of the
 * client’s own codes: `network_error`, `timeout`, `invalid_response`. The error never contains a secret, a
 * token or a request body.
 */
export class PaydeskError extends Error {
  readonly status: number;
  readonly code: string;
  readonly description: string | undefined;
  /** The parameter that caused the error, if the service names one. */
  readonly field: string | undefined;
  /** Seconds that the service asks the client to wait. */
  readonly retry_after_s: number | undefined;
  /** The id of this call for questions to the operator. */
  readonly request_id: string | undefined;

  constructor(init: PaydeskErrorInit) {
    const text = init.description === undefined ? '' : `: ${init.description}`;
    super(`${init.code} (HTTP ${init.status})${text}`, init.cause === undefined ? {} : { cause: init.cause });
    this.name = 'PaydeskError';
    this.status = init.status;
    this.code = init.code;
    this.description = init.description;
    this.field = init.field;
    this.retry_after_s = init.retry_after_s;
    this.request_id = init.request_id;
  }
}
