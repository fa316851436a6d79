export { isAbout, isMoney } from './known-cases.ts';
export { seenOf } from './attempt-cases.ts';
export { payWithPtk } from './pay-with-ptk.ts';
export { settle, settled } from './settle.ts';
