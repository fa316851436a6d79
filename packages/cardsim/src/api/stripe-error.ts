/** The `error` member of the provider’s answers. */
export type StripeErrorBody = {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  message: string;
  code?: string;
  param?: string;
  doc_url?: string;
};

/** An error in the provider’s format: an HTTP status and the body under `error`. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  /**
   * Whether the parameters were valid and the operation itself failed. The provider stores such an answer
   * under the idempotency key, but not an answer to invalid parameters.
   */
  readonly executed: boolean;

  constructor(status: number, body: StripeErrorBody, executed = false) {
    super(body.message);
    this.name = 'StripeError';
    this.status = status;
    this.body = body;
    this.executed = executed;
  }
}

/** 400 for a missing or invalid parameter. Nothing was done. */
export function invalidParameter(param: string, message: string, code = 'parameter_invalid'): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, code, param });
}

/** 404 for an unknown object, or an object of another account. The provider does not distinguish them. */
export function noSuch(what: string, id: string, param: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  });
}

/** 400 for an operation that the object's state does not allow. */
export function notAllowedNow(message: string, code?: string, param?: string): StripeError {
  const detail = { ...(code === undefined ? {} : { code }), ...(param === undefined ? {} : { param }) };
  return new StripeError(400, { type: 'invalid_request_error', message, ...detail }, true);
}
