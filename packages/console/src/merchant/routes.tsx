/** The addresses of the merchant's console. */
import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.ts';
import { screen } from '../shell/screen.ts';

const frame = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/merchants/$merchant_no',
  component: screen(() => import('./merchant-frame.tsx'), 'MerchantFrame'),
});

const getParentRoute = () => frame;

/** One route for each screen. */
export const merchantRoutes = frame.addChildren([
  createRoute({
    getParentRoute,
    path: '/',
    component: screen(() => import('./home/home-screen.tsx'), 'HomeScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders',
    component: screen(() => import('./orders/orders-screen.tsx'), 'OrdersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$order_no',
    component: screen(() => import('./orders/order-screen.tsx'), 'OrderScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/payment-links',
    component: screen(() => import('./links/links-screen.tsx'), 'LinksScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/activity',
    component: screen(() => import('./settings/activity-screen.tsx'), 'ActivityScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/wallet',
    component: screen(() => import('./wallet/wallet-screen.tsx'), 'WalletScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/reconciliation',
    component: screen(() => import('./reconciliation/reconciliation-screen.tsx'), 'ReconciliationScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/notification-settings',
    component: screen(() => import('./notifications/settings-screen.tsx'), 'NotificationSettingsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/notifications',
    component: screen(() => import('./notifications/records-screen.tsx'), 'NotificationRecordsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers',
    component: screen(() => import('./developers/developers-screen.tsx'), 'DevelopersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/quickstart',
    component: screen(() => import('./developers/quickstart-screen.tsx'), 'QuickstartScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/requests',
    component: screen(() => import('./developers/requests-screen.tsx'), 'RequestsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: screen(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/products',
    component: screen(() => import('./catalog/products-screen.tsx'), 'ProductsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/products/$gd_no',
    component: screen(() => import('./catalog/product-screen.tsx'), 'ProductScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/catalog-orders',
    component: screen(() => import('./catalog/catalog-orders-screen.tsx'), 'CatalogOrdersScreen'),
  }),
]);
