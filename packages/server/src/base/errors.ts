/** The errors of the service: those that the caller sees (`AppError`) and defects in the code (`InvariantError`). */
import { describe, type ErrorBody, type ErrorCode, statusOf } from '@paydesk/contract';

/** Optional details of an error, in addition to its code. */
export interface ErrorDetail {
  description?: string;
  /** The dotted path of the request member that is invalid. */
  field?: string;
  /** Whole seconds after which a retry may succeed: the `Retry-After` header (H-16). */
  retry_after_s?: number;
  /** The scope that the call needs. It is part of the `WWW-Authenticate` challenge (H-13). */
  scope?: string;
}

/** An error that the caller sees: a code of the contract. `http/error-reply.ts` maps it to HTTP. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(detail.description ?? describe(code));
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
  }

  /** Each code has one status. */
  get status(): number {
    return statusOf(this.code);
  }

  /** The body of the answer (D-019). */
  body(): ErrorBody {
    const { field } = this.detail;
    return {
      error: this.code,
      error_description: this.message,
      ...(field === undefined ? {} : { field }),
    };
  }
}

/** 400 `invalid_request` that names the invalid member. */
export function invalid(field: string, description: string): AppError {
  return new AppError('invalid_request', { field, description });
}

/** An assumption of the code is wrong. This is a defect: it is answered with 500 and logged with its stack. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvariantError';
  }
}

/** A guarded write changed an unexpected number of rows: the values that it expects are wrong or outdated. */
export class GuardError extends InvariantError {}

/** The database does not answer now, or is busy: the next try is likely to succeed (D-892). */
export const isPassing = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'service_unavailable';

/** What several failures are together: the only one, one of them if all will pass, or all of them. */
export const together = (errors: readonly unknown[], message: string): unknown =>
  errors.length === 1 || errors.every(isPassing) ? errors[0] : new AggregateError(errors, message);
