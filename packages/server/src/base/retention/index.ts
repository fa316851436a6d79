/** How long the rows of each table stay, and where they name people. */
export { type Naming, retention } from './retention.ts';
