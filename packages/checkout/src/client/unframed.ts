/** Stands for `framed.ts` in the script of pages that stand alone. */
import type * as framed from './framed.ts';

export const useEmbed: typeof framed.useEmbed = () => null;

export const openStream: typeof framed.openStream = (path) => new EventSource(path);
