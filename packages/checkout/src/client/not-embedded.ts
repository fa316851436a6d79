/** Stands for `embedded.ts` in the script of pages that stand alone. */
import type * as embedded from './embedded.ts';

export const useEmbed: typeof embedded.useEmbed = () => null;

export const openStream: typeof embedded.openStream = (path) => new EventSource(path);
