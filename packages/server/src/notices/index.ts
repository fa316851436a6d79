/** Which people get mail about which acts. */
export { noticeSink } from './notice-sink.ts';
