/** The addresses of the merchant's console. */
import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.ts';
import { screen } from '../shell/screen.ts';

const frame = createRoute({
  getParentRoute: () => rootRoute,
  path: '/console/merchants/$merchant_no',
  component: screen(() => import('./merchant-frame.tsx'), 'MerchantFrame', ['merchant']),
});

const getParentRoute = () => frame;

/** One route for each screen. */
export const merchantRoutes = frame.addChildren([
  createRoute({
    getParentRoute,
    path: '/',
    component: screen(() => import('./home/home-screen.tsx'), 'HomeScreen', [
      'merchant',
      'sales',
      'webhooks',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/orders',
    component: screen(() => import('./orders/orders-screen.tsx'), 'OrdersScreen', [
      'order',
      'orders',
      'sales',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$order_no',
    component: screen(() => import('./orders/order-screen.tsx'), 'OrderScreen', [
      'business',
      'ledger',
      'order',
      'orders',
      'wallet',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/payment-links',
    component: screen(() => import('./links/links-screen.tsx'), 'LinksScreen', ['orders']),
  }),
  createRoute({
    getParentRoute,
    path: '/activity',
    component: screen(() => import('./settings/activity-screen.tsx'), 'ActivityScreen', ['acts', 'team']),
  }),
  createRoute({
    getParentRoute,
    path: '/wallet',
    component: screen(() => import('./wallet/wallet-screen.tsx'), 'WalletScreen', [
      'business',
      'ledger',
      'orders',
      'wallet',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/exports',
    component: screen(() => import('./exports/exports-screen.tsx'), 'ExportsScreen', ['wallet']),
  }),
  createRoute({
    getParentRoute,
    path: '/reconciliation',
    component: screen(() => import('./reconciliation/reconciliation-screen.tsx'), 'ReconciliationScreen', [
      'wallet',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/notification-settings',
    component: screen(() => import('./notifications/settings-screen.tsx'), 'NotificationSettingsScreen', [
      'webhooks',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/notifications',
    component: screen(() => import('./notifications/records-screen.tsx'), 'NotificationRecordsScreen', [
      'order',
      'webhooks',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/developers',
    component: screen(() => import('./developers/developers-screen.tsx'), 'DevelopersScreen', [
      'business',
      'developers',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/quickstart',
    component: screen(() => import('./developers/quickstart-screen.tsx'), 'QuickstartScreen', [
      'developers',
      'webhooks',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/developers/requests',
    component: screen(() => import('./developers/requests-screen.tsx'), 'RequestsScreen', ['developers']),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: screen(() => import('./settings/settings-screen.tsx'), 'SettingsScreen', ['business', 'team']),
  }),
  createRoute({
    getParentRoute,
    path: '/products',
    component: screen(() => import('./catalog/products-screen.tsx'), 'ProductsScreen', ['catalog']),
  }),
  createRoute({
    getParentRoute,
    path: '/products/$gd_no',
    component: screen(() => import('./catalog/product-screen.tsx'), 'ProductScreen', ['catalog']),
  }),
  createRoute({
    getParentRoute,
    path: '/catalog-orders',
    component: screen(() => import('./catalog/catalog-orders-screen.tsx'), 'CatalogOrdersScreen', [
      'catalog',
    ]),
  }),
]);
