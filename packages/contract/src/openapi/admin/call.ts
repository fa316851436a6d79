/** Builders for calls of the administration API. They add what all these calls share. */
import Type from 'typebox';
import { ApprovalPendingAnswer } from '../../admin/approval.ts';
import { PageOf } from '../../admin/scalars.ts';
import type { ErrorCode } from '../../errors.ts';
import { anyCall, limited, withBody } from '../common-errors.ts';
import { pageParameters } from '../parameters.ts';
import type { Operation, Parameter } from '../operation.ts';

const call = [
  ...anyCall,
  // Of a wrong key.
  ...limited,
  'invalid_token',
  'authentication_required',
  'administrator_required',
  'second_factor_setup_required',
] as const;
const write = [
  ...call,
  ...withBody,
  'cross_site_request',
  'role_required',
  'reauthentication_required',
] as const;
const security = { by: 'administrator' } as const;

/** Statuses of a call with a reference: 201 the first time, 200 for a repetition. */
export const createdOrRepeated = [200, 201] as const;

/** Errors of calls that move PTK under a reference. */
export const walletMoveErrors = ['reference_conflict', 'insufficient_balance'] as const;

/** Descriptions of the path parameters, by name. */
const pathWords: Readonly<Record<string, string>> = {
  code: 'The currency.',
  user_id: 'The person.',
  merchant_no: 'The merchant.',
  client_id: 'The client.',
  application_id: 'The application.',
  gd_no: 'The product.',
  payment_no: 'The channel.',
  withdrawal_id: 'The withdrawal.',
  complaint_id: 'The complaint.',
  dispute_id: 'The dispute’s number at the provider.',
  case_id: 'The case.',
  order_no: 'The order.',
  account: 'The account.',
  approval_id: 'The approval.',
  key_id: 'The key.',
  name: 'The job.',
  event_id: 'The notification.',
  provider_event_id: 'The webhook’s event id at the provider.',
};

const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: pathWords[name] ?? name,
    schema: Type.String(),
  }));

const notFound = (path: string): ErrorCode[] => (path.includes('{') ? ['not_found'] : []);

/** The schema with a title. The document refers to it by this title. */
export const titled = <T extends Type.TSchema>(title: string, schema: T): T => ({ ...schema, title });

interface CallSpec {
  id: string;
  /** Below `/admin/v1`. */
  path: string;
  summary: string;
  description?: string;
  query?: readonly Parameter[];
  errors?: readonly ErrorCode[];
}

const common = ({ id, path, summary, description, query = [] }: CallSpec) => {
  const parameters = [...pathParameters(path), ...query];
  return {
    id,
    tag: 'Administration' as const,
    place: { below: 'base_url' as const, path: `/admin/v1${path}` },
    summary,
    description: description ?? `${summary}.`,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    limits: [],
  };
};

/** A call that reads one thing. */
export const read = (spec: CallSpec & { answer: Type.TSchema }): Operation => ({
  ...common(spec),
  method: 'get',
  successes: [{ status: 200, description: 'The current state.', schemas: [spec.answer] }],
  errors: [...call, ...notFound(spec.path), ...(spec.errors ?? [])],
});

/** A call that lists items page by page. The title of the answer is the item’s title with `Page`. */
export const list = (spec: CallSpec & { item: Type.TSchema & { title?: string } }): Operation =>
  read({
    ...spec,
    query: [...(spec.query ?? []), ...pageParameters],
    answer: titled(`${spec.item.title ?? spec.id}Page`, PageOf(spec.item)),
  });

/** The answer of a write that another person must approve first. */
const waits = {
  status: 202,
  description:
    'Nothing is booked yet: the amount reaches `four_eyes_ptk`, and another person must approve it.',
  schemas: [titled('ApprovalPending', ApprovalPendingAnswer)],
};

/** A call that writes. */
export const change = (
  spec: CallSpec & {
    method: 'post' | 'put' | 'patch' | 'delete';
    body?: Type.TSchema;
    bodyIsOptional?: boolean;
    answer: Type.TSchema;
    /** Defaults to 200. */
    statuses?: readonly (200 | 201 | 202)[];
    /** Whether the write may wait for another person; the answer is then 202. */
    mayWait?: boolean;
  },
): Operation => ({
  ...common(spec),
  method: spec.method,
  ...(spec.body === undefined
    ? {}
    : {
        body: {
          type: 'application/json',
          schema: spec.body,
          ...(spec.bodyIsOptional === true ? { optional: true } : {}),
        },
      }),
  successes: [
    ...(spec.statuses ?? [200]).map((status) => ({
      status,
      description: status === 201 ? 'Created.' : status === 202 ? 'Accepted.' : 'Done now, or done before.',
      schemas: [spec.answer],
    })),
    ...(spec.mayWait === true ? [waits] : []),
  ],
  errors: [
    ...write,
    ...notFound(spec.path),
    // Another request for the same thing waits.
    ...(spec.mayWait === true ? (['reference_conflict'] as const) : []),
    ...(spec.errors ?? []),
  ],
});
