/** The keys of a database: opened, checked, counted and retired. */
export { checkKeys, openKeyRing, WrongKeyError } from './key-ring.ts';
export { countKeys, type KeyCount } from './count-keys.ts';
export { reseal, type ResealReport } from './reseal.ts';
