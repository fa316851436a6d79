import Type from 'typebox';
import { StatementMonths } from '../../console/wallet.ts';
import { limited } from '../common-errors.ts';
import type { Operation, Parameter } from '../operation.ts';
import { exportLimit } from '../rate-limits.ts';
import { consoleBase, consoleCall, merchantNoParameter } from './call.ts';

const at = (path: string) => ({ below: 'base_url', path: `${consoleBase}${path}` }) as const;
const security = { by: 'session_cookie' } as const;

const monthParameter: Parameter = {
  name: 'month',
  in: 'path',
  required: true,
  description: 'A month in UTC that has begun.',
  schema: Type.String(),
  example: '2026-10',
};

const file = {
  tag: 'Console',
  method: 'get',
  security,
  description:
    'The balance before the month, every movement on the merchant’s own accounts with its change and the balance after ' +
    'it, the closing balance, and the totals of each account. Debts count as negative. Opening balance and changes add ' +
    'up to the closing balance.',
  parameters: [merchantNoParameter, monthParameter],
  errors: [...consoleCall, ...limited],
  limits: [exportLimit],
} as const;

/** The console’s calls about monthly statements. */
export const consoleStatementOperations: readonly Operation[] = [
  {
    id: 'listStatements',
    tag: 'Console',
    method: 'get',
    place: at('/statements'),
    summary: 'List the months of statements',
    description: 'The months since the merchant was created.',
    security,
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The months.', schemas: [StatementMonths] }],
    errors: consoleCall,
    limits: [],
  },
  {
    ...file,
    id: 'readStatementAsCsv',
    place: at('/statements/{month}/statement.csv'),
    summary: 'Read a monthly statement as CSV',
    successes: [{ status: 200, description: 'One row for each balance, line and total.', csv: true }],
  },
  {
    ...file,
    id: 'readStatementAsPdf',
    place: at('/statements/{month}/statement.pdf'),
    summary: 'Read a monthly statement as PDF',
    successes: [{ status: 200, description: 'The statement.', pdf: true }],
  },
];
