import Type from 'typebox';
import { StatementMonths } from '../../console/wallet.ts';
import { limited } from '../common-errors.ts';
import type { Operation, Parameter } from '../operation.ts';
import { query } from '../parameters.ts';
import { exportLimit } from '../rate-limits.ts';
import { consoleBase, consoleCall, merchantNoParameter } from './call.ts';

const at = (path: string) => ({ below: 'base_url', path: `${consoleBase}${path}` }) as const;
const security = { by: 'session_cookie' } as const;

const periodParameter: Parameter = {
  name: 'period',
  in: 'path',
  required: true,
  description: 'A period that has begun: a month, an ISO week (`2026-W43`) or a day (`2026-10-19`).',
  schema: Type.String(),
  example: '2026-10',
};

/** Names of columns and codes are the same in every language. */
export const statementLanguage = query(
  'language',
  'The language of the words, `what` and `why`, and of a PDF: `en` (default), `de`, `es`, `fr`, `zh-Hans`, `ja` or `ar`.',
  Type.String(),
);

const file = {
  tag: 'Console',
  method: 'get',
  security,
  description:
    'The balance before the period, every movement on the merchant’s own accounts with its change and the balance after ' +
    'it, the closing balance, and the totals of each account. Debts count as negative. Opening balance and changes add ' +
    'up to the closing balance.',
  parameters: [
    merchantNoParameter,
    periodParameter,
    query('time_zone', 'The time zone of the period; UTC if absent.', Type.String()),
    statementLanguage,
  ],
  errors: [...consoleCall, ...limited],
  limits: [exportLimit],
} as const;

/** The console’s calls about statements. */
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
    place: at('/statements/{period}/statement.csv'),
    summary: 'Read a statement as CSV',
    successes: [{ status: 200, description: 'One row for each balance, line and total.', csv: true }],
  },
  {
    ...file,
    id: 'readStatementAsPdf',
    place: at('/statements/{period}/statement.pdf'),
    summary: 'Read a statement as PDF',
    successes: [{ status: 200, description: 'The statement.', pdf: true }],
  },
];
