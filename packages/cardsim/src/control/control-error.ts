/**
 * An error of the control API: an HTTP status, an error code, a description and, if known, the wrong member.
 */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, code: string, description: string, field?: string) {
    super(description);
    this.name = 'ControlError';
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

export function invalidMember(field: string, description: string): ControlError {
  return new ControlError(400, 'invalid_request', `${field}: ${description}`, field);
}

export function notFound(description: string): ControlError {
  return new ControlError(404, 'not_found', description);
}

export function conflict(description: string): ControlError {
  return new ControlError(409, 'conflict', description);
}
