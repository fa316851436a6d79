export {
  selectStatement as readStatement,
  type StatementFilter,
  type StatementMark,
} from './statement.sql.ts';
