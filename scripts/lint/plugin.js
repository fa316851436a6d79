import { citations } from './citations.js';
import { injected } from './injected.js';
import { rooms } from './rooms.js';
import { tables } from './tables.js';

/** The rules that only this house has. */
export default { meta: { name: 'paydesk' }, rules: { citations, injected, rooms, tables } };
