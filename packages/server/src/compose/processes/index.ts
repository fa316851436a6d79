/** `serve --processes`: several processes on one port that are one service. */
export { readPlace, runChild } from './child.ts';
export { runPrimary } from './primary.ts';
