/** The failure of a call: an error of the service, or no answer (D-407, D-492). */
import { textOfError, textsOf } from '../texts/texts.ts';

const t = textsOf('core');

export class ApiError extends Error {
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  /** The code that the contract names; `network` if no answer came. */
  readonly code: string;
  /** The member of the request that was refused, or null. */
  readonly field: string | null;
  readonly retry_after_s: number | null;
  /** The number of the request, by which the platform finds it in its logs; null if no answer came. */
  readonly request_id: string | null;

  constructor(of: {
    status: number;
    code: string;
    message: string;
    field?: string | null;
    retry_after_s?: number | null;
    request_id?: string | null;
  }) {
    super(of.message);
    this.name = 'ApiError';
    this.status = of.status;
    this.code = of.code;
    this.field = of.field ?? null;
    this.retry_after_s = of.retry_after_s ?? null;
    this.request_id = of.request_id ?? null;
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
        : t('the_service_answered_with_status_status', { status: response.status }),
    field: typeof field === 'string' ? field : null,
    retry_after_s: Number.isFinite(retry) ? retry : null,
    request_id: response.headers.get('x-request-id'),
  });
}

/**
 * Whether the support may have to look into a failure: the service is at fault, or says nothing that a person could act
 * on. A refusal says by itself what to do (D-532).
 */
const mayNeedSupport = ({ status, code, field }: ApiError): boolean =>
  status >= 500 || code === 'unreadable_answer' || (status === 400 && field === null);

/** The message for a person about anything that was thrown, with the number of the request where the support may need it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t('this_page_has_failed_reload_it');
  if (error.code === 'rate_limited' && error.retry_after_s !== null) {
    return t('too_many_requests_try_again_in', { seconds: error.retry_after_s });
  }
  if (error.code === 'authentication_required') return t('your_session_has_ended_sign_in_in');
  if (error.code === 'reauthentication_required') return t('your_identity_was_not_confirmed_confirm');
  const { request_id: id } = error;
  const message = textOfError(error.code, error.message);
  return id === null || !mayNeedSupport(error) ? message : t('message_request_id_id', { message, id });
}
