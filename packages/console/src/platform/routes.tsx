/** The addresses of the platform's console. */
import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.ts';
import { screen } from '../shell/screen.ts';

const frame = createRoute({
  getParentRoute: () => rootRoute,
  path: '/platform',
  component: screen(() => import('./platform-frame.tsx'), 'PlatformFrame', ['platform']),
});

const getParentRoute = () => frame;

/** One route for each screen. */
export const platformRoutes = frame.addChildren([
  createRoute({
    getParentRoute,
    path: '/',
    component: screen(() => import('./overview/overview-screen.tsx'), 'OverviewScreen', [
      'platform',
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/orders',
    component: screen(() => import('./orders/orders-screen.tsx'), 'PlatformOrdersScreen', [
      'order',
      'sales',
      'platform-orders',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$order_no',
    component: screen(() => import('./orders/order-screen.tsx'), 'PlatformOrderScreen', [
      'ledger',
      'order',
      'platform-orders',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/catalog-orders/$order_no',
    component: screen(() => import('./orders/catalog-order-screen.tsx'), 'PlatformCatalogOrderScreen', [
      'ledger',
      'order',
      'platform-orders',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/cases',
    component: screen(() => import('./cases/cases-screen.tsx'), 'CasesScreen', ['platform-orders']),
  }),
  createRoute({
    getParentRoute,
    path: '/complaints',
    component: screen(() => import('./losses/losses-screen.tsx'), 'LossesScreen', [
      'platform-disputes',
      'platform-merchants',
      'platform-orders',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/merchant-figures',
    component: screen(() => import('./merchants/merchant-figures-screen.tsx'), 'MerchantFiguresScreen', [
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/withdrawals',
    component: screen(() => import('./merchants/withdrawals-screen.tsx'), 'WithdrawalsScreen', [
      'platform',
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/approvals',
    component: screen(() => import('./approvals/approvals-screen.tsx'), 'ApprovalsScreen', [
      'platform-merchants',
      'platform-operation',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/keys',
    component: screen(() => import('./settings/keys-screen.tsx'), 'KeysScreen', [
      'platform-merchants',
      'platform-operation',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: screen(() => import('./settings/settings-screen.tsx'), 'PlatformSettingsScreen', [
      'platform-operation',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/ledger',
    component: screen(() => import('./ledger/ledger-screen.tsx'), 'LedgerScreen', [
      'business',
      'ledger',
      'platform-money',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/merchants',
    component: screen(() => import('./merchants/merchants-screen.tsx'), 'MerchantsScreen', [
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/merchants/$merchant_no',
    component: screen(() => import('./merchants/merchant-screen.tsx'), 'MerchantScreen', [
      'business',
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/people',
    component: screen(() => import('./people/people-screen.tsx'), 'PeopleScreen', ['platform-merchants']),
  }),
  createRoute({
    getParentRoute,
    path: '/clients',
    component: screen(() => import('./clients/clients-screen.tsx'), 'ClientsScreen', [
      'business',
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/scope-applications',
    component: screen(() => import('./clients/scope-applications-screen.tsx'), 'ScopeApplicationsScreen', [
      'business',
      'platform-merchants',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/channels',
    component: screen(() => import('./channels/channels-screen.tsx'), 'ChannelsScreen', [
      'platform-channels',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/channels/$payment_no',
    component: screen(() => import('./channels/channel-screen.tsx'), 'ChannelScreen', [
      'platform-channels',
      'platform-merchants',
      'platform-money',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/currencies',
    component: screen(() => import('./currencies/currencies-screen.tsx'), 'CurrenciesScreen', [
      'platform-merchants',
      'platform-money',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/fee-simulator',
    component: screen(() => import('./fees/fee-simulator-screen.tsx'), 'FeeSimulatorScreen', [
      'platform-money',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/workers',
    component: screen(() => import('./operation/workers-screen.tsx'), 'WorkersScreen', [
      'platform-operation',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/dead-letters',
    component: screen(() => import('./operation/dead-letters-screen.tsx'), 'DeadLettersScreen', [
      'platform-operation',
    ]),
  }),
  createRoute({
    getParentRoute,
    path: '/audit-log',
    component: screen(() => import('./operation/audit-screen.tsx'), 'AuditScreen', [
      'acts',
      'platform-merchants',
      'platform-operation',
    ]),
  }),
]);
