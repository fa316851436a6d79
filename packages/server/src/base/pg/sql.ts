/** SQL as template literals: values become parameters, never text. */
export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';
