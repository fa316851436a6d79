/** The history of a collection order. */
export { timelineOf } from './timeline.ts';
