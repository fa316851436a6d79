import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';

/**
 * A screen in a chunk of its own.
 *
 * @param load the file it is in
 * @param name what it is called there
 */
export const screen = <M extends object>(load: () => Promise<M>, name: keyof M & string): RouteComponent =>
  lazyRouteComponent(load as () => Promise<Record<string, RouteComponent>>, name);
