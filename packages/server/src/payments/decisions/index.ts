/** Decisions of people about cases. */
export { askBeforeResolving } from './ask-before-resolving.ts';
export { allowedActions, PassingRefusal } from './case-actions.ts';
export { resolveCase } from './resolve-case.ts';
