/** What the provider puts under `error` in its answers. */
export type StripeErrorBody = {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  message: string;
  code?: string;
  param?: string;
  doc_url?: string;
};

/** A refusal in the provider's own terms: an HTTP status and the body under `error`. */
export class StripeError extends Error {
  readonly status: number;
  readonly body: StripeErrorBody;
  /**
   * True once the parameters were accepted and the operation itself was refused. The provider remembers such
   * an answer under the idempotency key, but not one that failed validation.
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

/** 400 for a parameter that is missing or wrong; nothing was done. */
export function invalidParameter(param: string, message: string, code = 'parameter_invalid'): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, code, param });
}

/** 404, also for objects of another account: the provider does not tell the two apart. */
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
