import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { Area } from '../texts/messages.ts';
import { loadTexts } from '../texts/texts.ts';

/**
 * A screen in a chunk of its own. Its texts are loaded first, because its modules read them.
 *
 * @param load imports the screen's file
 * @param name the name of its export
 * @param areas the areas of texts that the screen's modules use, besides `core`
 */
export const screen = <M extends object>(
  load: () => Promise<M>,
  name: keyof M & string,
  areas: readonly Area[] = [],
): RouteComponent =>
  lazyRouteComponent(async () => {
    await loadTexts(areas);
    return (await load()) as Record<string, RouteComponent>;
  }, name);
