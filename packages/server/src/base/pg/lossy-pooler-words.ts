/** What the codes 26000 and 42P05 mean: statements are prepared under names, which a pooler that shares sessions must know. */
export const lossyPoolerWords =
  'The pooler of DATABASE_URL loses prepared statements: use PgBouncer 1.21 or later with max_prepared_statements, or pool_mode = session.';

/** Whether the database's answer shows such a pooler. */
export const showsLossyPooler = (code: string | undefined): boolean => code === '42P05' || code === '26000';
