export {
  createDatabaseIfMissing,
  createRole,
  type DatabaseAddress,
  tryConnection,
} from './create-database.ts';
export { isUniqueViolation, OutcomeUnknownError, sqlState } from './driver/db-errors.ts';
export { type Database, openDatabase } from './db.ts';
export { grantRole, ownsTables, RoleError, tablesWithoutRights } from './grant-role.ts';
export { isDatabaseUrl } from './driver/servers.ts';
export { type Limits, usualLimits } from './time-limits.ts';
export { SchemaError, checkSchema, checkVersion, migrate, migrationsDir } from './migrate.ts';
export { type Sql, join, raw, sql } from './sql.ts';
export type { Row, Write } from './statements.ts';
export type { Queryable, Tx } from './transactions.ts';
