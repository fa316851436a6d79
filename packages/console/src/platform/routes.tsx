/** The addresses of the platform's console. */
import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.ts';
import { screen } from '../shell/screen.ts';

const frame = createRoute({
  getParentRoute: () => rootRoute,
  path: '/platform',
  component: screen(() => import('./platform-frame.tsx'), 'PlatformFrame'),
});

const getParentRoute = () => frame;

/** One route for each screen. */
export const platformRoutes = frame.addChildren([
  createRoute({
    getParentRoute,
    path: '/',
    component: screen(() => import('./overview/overview-screen.tsx'), 'OverviewScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders',
    component: screen(() => import('./orders/orders-screen.tsx'), 'PlatformOrdersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$order_no',
    component: screen(() => import('./orders/order-screen.tsx'), 'PlatformOrderScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/catalog-orders/$order_no',
    component: screen(() => import('./orders/catalog-order-screen.tsx'), 'PlatformCatalogOrderScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/cases',
    component: screen(() => import('./cases/cases-screen.tsx'), 'CasesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/complaints',
    component: screen(() => import('./losses/losses-screen.tsx'), 'LossesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/merchant-figures',
    component: screen(() => import('./merchants/merchant-figures-screen.tsx'), 'MerchantFiguresScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/withdrawals',
    component: screen(() => import('./merchants/withdrawals-screen.tsx'), 'WithdrawalsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/approvals',
    component: screen(() => import('./approvals/approvals-screen.tsx'), 'ApprovalsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys',
    component: screen(() => import('./settings/keys-screen.tsx'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: screen(() => import('./settings/settings-screen.tsx'), 'PlatformSettingsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/ledger',
    component: screen(() => import('./ledger/ledger-screen.tsx'), 'LedgerScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/merchants',
    component: screen(() => import('./merchants/merchants-screen.tsx'), 'MerchantsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/merchants/$merchant_no',
    component: screen(() => import('./merchants/merchant-screen.tsx'), 'MerchantScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/people',
    component: screen(() => import('./people/people-screen.tsx'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/clients',
    component: screen(() => import('./clients/clients-screen.tsx'), 'ClientsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/scope-applications',
    component: screen(() => import('./clients/scope-applications-screen.tsx'), 'ScopeApplicationsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/channels',
    component: screen(() => import('./channels/channels-screen.tsx'), 'ChannelsScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/channels/$payment_no',
    component: screen(() => import('./channels/channel-screen.tsx'), 'ChannelScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/currencies',
    component: screen(() => import('./currencies/currencies-screen.tsx'), 'CurrenciesScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/fee-simulator',
    component: screen(() => import('./fees/fee-simulator-screen.tsx'), 'FeeSimulatorScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/workers',
    component: screen(() => import('./operation/workers-screen.tsx'), 'WorkersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/dead-letters',
    component: screen(() => import('./operation/dead-letters-screen.tsx'), 'DeadLettersScreen'),
  }),
  createRoute({
    getParentRoute,
    path: '/audit-log',
    component: screen(() => import('./operation/audit-screen.tsx'), 'AuditScreen'),
  }),
]);
