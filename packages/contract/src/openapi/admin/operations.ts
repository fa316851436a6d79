import { withCsv } from '../csv-operation.ts';
import type { Operation } from '../operation.ts';
import { approvalOperations } from './approval-operations.ts';
import { caseOperations } from './case-operations.ts';
import { channelOperations } from './channel-operations.ts';
import { clientOperations } from './client-operations.ts';
import { currencyOperations } from './currency-operations.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { disputeOperations } from './dispute-operations.ts';
import { keyOperations } from './key-operations.ts';
import { ledgerOperations } from './ledger-operations.ts';
import { lossOperations } from './loss-operations.ts';
import { maintenanceOperations } from './maintenance-operations.ts';
import { merchantOperations } from './merchant-operations.ts';
import { orderOperations } from './order-operations.ts';
import { overviewOperations } from './overview-operations.ts';
import { payoutOperations } from './payout-operations.ts';
import { productOperations } from './product-operations.ts';
import { userOperations } from './user-operations.ts';
import { walletOperations } from './wallet-operations.ts';

/** Every call of the administration API. */
export const adminOperations: readonly Operation[] = withCsv(
  [
    ...currencyOperations,
    ...channelOperations,
    ...userOperations,
    ...merchantOperations,
    ...clientOperations,
    ...productOperations,
    ...walletOperations,
    ...payoutOperations,
    ...orderOperations,
    ...lossOperations,
    ...disputeOperations,
    ...approvalOperations,
    ...keyOperations,
    ...caseOperations,
    ...ledgerOperations,
    ...overviewOperations,
    ...deliveryOperations,
    ...maintenanceOperations,
  ],
  [
    'listAllOrders',
    'listRefunds',
    'listComplaints',
    'listDisputes',
    'listWithdrawals',
    'listMerchants',
    'listMerchantFigures',
    'listApprovals',
    'listCases',
    'listAuditLog',
  ],
  ['role_required'],
);
