import Type from 'typebox';
import {
  StatementExport,
  StatementExportDeleted,
  StatementExports,
  StatementExportTerms,
} from '../../console/statement-export.ts';
import { limited, withBody } from '../common-errors.ts';
import type { Operation, Parameter } from '../operation.ts';
import { exportLimit } from '../rate-limits.ts';
import { consoleBase, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';

const at = (path: string) => ({ below: 'base_url', path: `${consoleBase}${path}` }) as const;
const shared = { tag: 'Console', security: { by: 'session_cookie' } } as const;

const exportParameter: Parameter = {
  name: 'export_id',
  in: 'path',
  required: true,
  description: 'A scheduled export of the merchant.',
  schema: Type.String(),
  example: 'se_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};
const body = { type: 'application/json', schema: StatementExportTerms } as const;

/** The console’s calls about scheduled exports. */
export const consoleExportOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'listStatementExports',
    method: 'get',
    place: at('/statement-exports'),
    summary: 'List scheduled exports of the statement',
    description: 'With what was sent last, and with the people who can get them.',
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The scheduled exports.', schemas: [StatementExports] }],
    errors: consoleCall,
    limits: [],
  },
  {
    ...shared,
    id: 'createStatementExport',
    method: 'post',
    place: at('/statement-exports'),
    summary: 'Schedule an export of the statement',
    description:
      'The statement of each period is sent 15 minutes after its end, once, from the running period on: by mail to ' +
      'people of the team, as CSV and on request as PDF, or as the body of a POST to an HTTPS address, as CSV. The POST ' +
      'is signed as a notification is, with a key of its own. It has the same `webhook-id` at every attempt. What is not ' +
      'accepted is tried again on the schedule of notifications. A merchant has at most five. For owners and finance.',
    parameters: [merchantNoParameter],
    body,
    successes: [{ status: 201, description: 'Scheduled.', schemas: [StatementExport] }],
    errors: [...consoleWrite, ...withBody, 'invalid_notify_url', 'notification_unavailable'],
    limits: [],
  },
  {
    ...shared,
    id: 'changeStatementExport',
    method: 'put',
    place: at('/statement-exports/{export_id}'),
    summary: 'Change, pause or resume a scheduled export',
    description: 'A new address gets a new key. For owners and finance.',
    parameters: [merchantNoParameter, exportParameter],
    body,
    successes: [{ status: 200, description: 'Changed.', schemas: [StatementExport] }],
    errors: [...consoleWrite, ...withBody, 'invalid_notify_url', 'notification_unavailable'],
    limits: [],
  },
  {
    ...shared,
    id: 'deleteStatementExport',
    method: 'delete',
    place: at('/statement-exports/{export_id}'),
    summary: 'Delete a scheduled export',
    description: 'Statements that wait are not sent. For owners and finance.',
    parameters: [merchantNoParameter, exportParameter],
    successes: [{ status: 200, description: 'Deleted.', schemas: [StatementExportDeleted] }],
    errors: consoleWrite,
    limits: [],
  },
  {
    ...shared,
    id: 'sendStatementExport',
    method: 'post',
    place: at('/statement-exports/{export_id}/sending'),
    summary: 'Send the statement of the last period now',
    description:
      'To every recipient, also if it was sent before; then with the same `webhook-id`. For owners and finance.',
    parameters: [merchantNoParameter, exportParameter],
    successes: [{ status: 202, description: 'It is sent in a few seconds.', schemas: [StatementExport] }],
    errors: [...consoleWrite, ...limited],
    limits: [exportLimit],
  },
];
