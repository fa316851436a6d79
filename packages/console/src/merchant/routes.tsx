import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.ts';
import { screen } from '../shell/screen.ts';

const frame = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/merchants/$merchant_no',
  component: screen(() => import('./merchant-frame.tsx'), 'MerchantFrame'),
});

const notificationSettings = createRoute({
  getParentRoute: () => frame,
  path: '/notification-settings',
  component: screen(() => import('./notifications/settings-screen.tsx'), 'NotificationSettingsScreen'),
});

const notifications = createRoute({
  getParentRoute: () => frame,
  path: '/notifications',
  component: screen(() => import('./notifications/records-screen.tsx'), 'NotificationRecordsScreen'),
});

/** The merchant's console, one address for each screen. */
export const merchantRoutes = frame.addChildren([notificationSettings, notifications]);
