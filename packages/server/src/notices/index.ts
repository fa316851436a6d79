/** Who is told of what, by mail. */
export { noticeSink } from './notice-sink.ts';
