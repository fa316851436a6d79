import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.ts';
import { screen } from '../shell/screen.ts';

const frame = createRoute({
  getParentRoute: () => rootRoute,
  path: '/platform',
  component: screen(() => import('./platform-frame.tsx'), 'PlatformFrame'),
});

/** The platform's console, one address for each screen. */
export const platformRoutes = frame.addChildren([]);
