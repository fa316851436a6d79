import { describe, type ErrorBody, type ErrorCode, statusOf } from '@paydesk/contract';

/** What an error may say beyond its code. */
export interface ErrorDetail {
  description?: string;
  /** The request member at fault, as a dotted path. */
  field?: string;
  /** Whole seconds after which a retry may succeed: the `Retry-After` header (H-16). */
  retry_after_s?: number;
  /** The scope that the call needs: goes into the challenge (H-13). */
  scope?: string;
}

/** An outcome that the caller is told: a code of the contract, mapped to HTTP once, at the edge. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(detail.description ?? describe(code));
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
  }

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

/** 400 `invalid_request` that names the member at fault. */
export function invalid(field: string, description: string): AppError {
  return new AppError('invalid_request', { field, description });
}

/** A promise of the code's own that did not hold: a defect, answered as 500 and logged with its stack. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvariantError';
  }
}

/** A guarded write touched other rows than it had to: what it rests on is not so, or not any more. */
export class GuardError extends InvariantError {}
