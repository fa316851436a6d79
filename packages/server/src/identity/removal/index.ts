/** What administrators do to other people's accounts. */
export { changePerson, endSessionsOf, removeFactorsOf } from './change-person.ts';
