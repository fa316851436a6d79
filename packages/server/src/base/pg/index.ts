/** PostgreSQL: the pool, statements and transactions, notifications, and the schema. Alone it knows the driver. */
export { changedCollation } from './changed-collation.ts';
export { checkVersion, readSchemaVersion } from './check-schema-version.ts';
export { claimInTurn } from './claim-in-turn.ts';
export { dayIn, type DaysOfZone } from './day-in.ts';
export { createDatabaseIfMissing, createRole, tryConnection } from './create-database.ts';
export {
  isLockBusy,
  isRetryable,
  isTimedOut,
  isUniqueViolation,
  OutcomeUnknownError,
  sqlState,
} from './driver/db-errors.ts';
export { connectionsBesidePool } from './connection-counts.ts';
export { type Database, openDatabase } from './db.ts';
export type { PoolObserver, PoolUse } from './driver/pool.ts';
export { probePooler } from './lossy-pooler.ts';
export { lossyPoolerWords, showsLossyPooler } from './lossy-pooler-words.ts';
export { isDatabaseUrl } from './driver/servers.ts';
export { type Limits, usualLimits } from './time-limits.ts';
export { grantRole, ownsTables, tablesWithoutRights } from './schema/grant-role.ts';
export { RoleError } from './schema/role-error.ts';
export { moveMerchant, readCluster } from './distribution/cluster.ts';
export {
  checkPlacedSchema as checkSchema,
  distribute,
  migrateAndPlace as migrate,
  plannedPlacements,
  usualShards,
} from './distribution/distribute.ts';
export { addressOf } from './distribution/engine.ts';
export { lineOf } from './distribution/place-tables.ts';
export { type MigrateOptions, missingMigrations } from './schema/migrate.ts';
export { migrationsDir } from './schema/migration-files.ts';
export { copyDistributed } from './local-copies.ts';
export { settledCommits, waitingCommits } from './settled-commits.ts';
export { SchemaError } from './schema/schema-error.ts';
export { checkSearchPath } from './schema/search-path.ts';
export { type Sql, join, raw, sql } from './sql.ts';
export type { Row, Write } from './statements.ts';
export type { Queryable, Tx } from './transactions.ts';
