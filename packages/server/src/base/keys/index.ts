/** The keys of a database: opened, checked, counted and retired. */
export { checkKeys, openKeyRing } from './key-ring.ts';
export { countKeys, type KeyCount } from './count-keys.ts';
export { WrongKeyError } from './wrong-key-error.ts';
export { reseal, type ResealReport } from './reseal.ts';
