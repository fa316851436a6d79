/** What administrators and operators do to other people's accounts. */
export { anonymise } from './anonymise.ts';
export { changePerson, endSessionsOf, removeFactorsOf } from './change-person.ts';
