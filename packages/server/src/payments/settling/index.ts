export { isAbout, isMoney, seenOf } from './attempt-cases.ts';
export { payWithPtk } from './pay-with-ptk.ts';
export { settle, settled } from './settle.ts';
