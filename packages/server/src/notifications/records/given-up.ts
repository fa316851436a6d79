export { type GivenUp, selectGivenUp as listGivenUp } from './given-up.sql.ts';
