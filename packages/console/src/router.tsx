/** The routes of both consoles. */
import { createRoute, createRouter } from '@tanstack/react-router';
import { pageSettings } from './api/page-settings.ts';
import { queryClient } from './api/query-client.ts';
import { merchantRoutes } from './merchant/routes.tsx';
import { platformRoutes } from './platform/routes.tsx';
import { rootRoute } from './shell/root-route.ts';
import { screen } from './shell/screen.ts';
import { Failed, NotFound, Waiting } from './shell/screens.tsx';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console',
  component: screen(() => import('./shell/start.tsx'), 'Start'),
});

/** Parameters of addresses are plain texts, even `?order_no=1`. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
function stringifySearch(search: Record<string, string | undefined>): string {
  const named = Object.entries(search).filter((one): one is [string, string] => one[1] !== undefined);
  const text = new URLSearchParams(named).toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([startRoute, merchantRoutes, platformRoutes]),
  basepath: pageSettings.base_path === '' ? '/' : pageSettings.base_path,
  context: { queries: queryClient },
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: Waiting,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
