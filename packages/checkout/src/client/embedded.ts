/**
 * What the checkout page needs in a frame. The build uses `not-embedded.ts` instead for the script of pages outside a frame,
 * which is smaller by that (D-256).
 */
import type { LinkContext } from '../view/links.ts';
import { type OrderStream, TokenStream } from './token-stream.ts';

export { useEmbed } from './frame-messages.ts';

/** Opens the order's event stream. In a frame there is no cookie to show with a stream of the browser (D-268). */
export const openStream = (path: string, { embed_origins, token }: LinkContext): OrderStream =>
  embed_origins === undefined ? new EventSource(path) : new TokenStream(path, token);
