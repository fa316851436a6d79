import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';

/**
 * A screen in a chunk of its own.
 *
 * @param load imports the screen's file
 * @param name the name of its export
 */
export const screen = <M extends object>(load: () => Promise<M>, name: keyof M & string): RouteComponent =>
  lazyRouteComponent(load as () => Promise<Record<string, RouteComponent>>, name);
