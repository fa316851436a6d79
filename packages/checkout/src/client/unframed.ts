/** Stands for `framed.ts` in the script of the full page, which is in no frame. */
import type * as framed from './framed.ts';

export const useEmbed: typeof framed.useEmbed = () => null;

export const openStream: typeof framed.openStream = (path) => new EventSource(path);
