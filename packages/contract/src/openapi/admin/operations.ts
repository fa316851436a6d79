import Type from 'typebox';
import * as admin from '../../admin.ts';
import { OneOf } from '../../scalars.ts';
import { change, list, read, titled } from './call.ts';
import { adminListOperations } from './list-operations.ts';
import { adminProductOperations } from './product-operations.ts';
import { query } from '../console/call.ts';
import { withCsv } from '../csv-operation.ts';
import type { Operation } from '../operation.ts';

const currency = titled('Currency', admin.CurrencyAnswer);
const rate = titled('Rate', admin.RateAnswer);
const user = titled('User', admin.UserAnswer);
const userWallet = titled('UserWallet', admin.UserWalletAnswer);
const merchant = titled('Merchant', admin.MerchantAnswer);
const wallet = titled('MerchantWallet', admin.MerchantWalletAnswer);
const client = titled('Client', admin.ClientAnswer);
const application = titled('ScopeApplication', admin.ScopeApplicationAnswer);
const channel = titled('Channel', admin.ChannelAnswer);
const refund = titled('Refund', admin.RefundAnswer);
const complaint = titled('Complaint', admin.ComplaintAnswer);
const paymentCase = titled('PaymentCase', admin.CaseAnswer);
const withdrawal = titled('Withdrawal', admin.WithdrawalAnswer);

const once = [200, 201] as const;
const moves = ['reference_conflict', 'insufficient_balance'] as const;

const settings: readonly Operation[] = [
  list({ id: 'listCurrencies', path: '/currencies', summary: 'List currencies', item: currency }),
  change({
    id: 'setCurrency',
    method: 'put',
    path: '/currencies/{code}',
    summary: 'Add or change a currency',
    body: titled('CurrencySettings', admin.CurrencySettings),
    answer: currency,
    statuses: once,
  }),
  list({ id: 'listRates', path: '/rates', summary: 'List rates', item: rate }),
  change({
    id: 'setRate',
    method: 'put',
    path: '/rates/{code}',
    summary: 'Set the price of 1 PTK in a currency',
    body: titled('RateSettings', admin.RateSettings),
    answer: rate,
    statuses: once,
  }),
  list({ id: 'listChannels', path: '/channels', summary: 'List payment channels', item: channel }),
  change({
    id: 'createChannel',
    method: 'post',
    path: '/channels',
    summary: 'Create a payment channel',
    description: 'Keys of the provider go in and never come out.',
    body: titled('NewChannel', admin.NewChannel),
    answer: channel,
    statuses: [201],
  }),
  change({
    id: 'changeChannel',
    method: 'patch',
    path: '/channels/{payment_no}',
    summary: 'Change a payment channel',
    description: 'What is left out stays; a list of fees replaces the whole list.',
    body: titled('ChannelChange', admin.ChannelChange),
    answer: channel,
  }),
  change({
    id: 'setDebugGrants',
    method: 'put',
    path: '/channels/{payment_no}/debug-grants',
    summary: 'Say who may use a test channel',
    description: 'Replaces both lists. A payment needs the merchant on one and the buyer on the other.',
    body: titled('DebugGrants', admin.DebugGrants),
    answer: channel,
  }),
  change({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: '/channels/{payment_no}/webhook-secret-rotation',
    summary: 'Replace the secret that the provider signs with',
    description: 'The old one counts for 24 hours more.',
    body: titled('SecretRotation', admin.SecretRotation),
    answer: channel,
  }),
];

const people: readonly Operation[] = [
  list({
    id: 'listUsers',
    path: '/users',
    summary: 'List people',
    query: [
      query(
        'q',
        'Only those whose name or e-mail address begins so, or the one with this id: the first `limit`, on one page.',
        Type.String(),
      ),
    ],
    item: user,
  }),
  change({
    id: 'createUser',
    method: 'post',
    path: '/users',
    summary: 'Create an account',
    body: titled('NewUser', admin.NewUser),
    answer: user,
    statuses: [201],
    errors: ['already_exists'],
  }),
  read({
    id: 'readUserWallet',
    path: '/users/{user_id}/wallet',
    summary: 'Read a person’s wallet',
    answer: userWallet,
  }),
  change({
    id: 'topUpUser',
    method: 'post',
    path: '/users/{user_id}/ptk-top-ups',
    summary: 'Add PTK to a person’s wallet',
    description: 'Happens once for its reference. With `paid` it was bought, without it was given.',
    body: titled('TopUpRequest', admin.TopUpRequest),
    answer: userWallet,
    statuses: once,
    errors: ['reference_conflict'],
  }),
  list({
    id: 'listMerchants',
    path: '/merchants',
    summary: 'List merchants',
    query: [
      query('q', 'Only those whose name contains this, or the one with this number.', Type.String()),
      query('status', 'Only those in this status.', OneOf(['active', 'inactive'], 'A status.')),
      query('owner_user_id', 'Only those of this owner.', Type.String()),
    ],
    item: merchant,
  }),
  change({
    id: 'createMerchant',
    method: 'post',
    path: '/merchants',
    summary: 'Create a merchant',
    body: titled('NewMerchant', admin.NewMerchant),
    answer: merchant,
    statuses: [201],
  }),
  change({
    id: 'changeMerchant',
    method: 'patch',
    path: '/merchants/{merchant_no}',
    summary: 'Change a merchant',
    description: 'A new status or credit limit demands a reason.',
    body: titled('MerchantChange', admin.MerchantChange),
    answer: merchant,
  }),
  list({
    id: 'listAllClients',
    path: '/clients',
    summary: 'List clients',
    query: [query('merchant_no', 'Only those of this merchant.', Type.String())],
    item: client,
  }),
  change({
    id: 'createAnyClient',
    method: 'post',
    path: '/clients',
    summary: 'Create a client',
    description: 'The secret of a confidential client is in this answer and nowhere else.',
    body: titled('NewClient', admin.NewClient),
    answer: client,
    statuses: [201],
  }),
  change({
    id: 'changeClient',
    method: 'patch',
    path: '/clients/{client_id}',
    summary: 'Change a client',
    body: titled('ClientChange', admin.ClientChange),
    answer: client,
  }),
  change({
    id: 'setScopes',
    method: 'put',
    path: '/clients/{client_id}/scopes',
    summary: 'Set the scopes of a client',
    body: titled('ScopeChange', admin.ScopeChange),
    answer: client,
  }),
  list({
    id: 'listScopeApplications',
    path: '/scope-applications',
    summary: 'List applications for scopes',
    query: [query('status', 'Only those in this state.', OneOf(admin.applicationStates, 'A state.'))],
    item: application,
  }),
  change({
    id: 'decideScopeApplication',
    method: 'post',
    path: '/scope-applications/{application_id}/decision',
    summary: 'Decide on an application for scopes',
    body: titled('DecisionOnScopes', admin.DecisionOnScopes),
    answer: application,
    errors: ['already_decided'],
  }),
];

/** What is posted to a merchant’s wallet by hand, each once for its reference. */
const walletMoves: readonly Operation[] = (
  [
    ['topUpMerchant', 'ptk-top-ups', 'Add PTK to a merchant’s wallet', 'TopUpRequest', admin.TopUpRequest],
    [
      'depositGuarantee',
      'guarantee-deposits',
      'Deposit a guarantee',
      'GuaranteeDeposit',
      admin.GuaranteeDeposit,
    ],
    [
      'returnGuarantee',
      'guarantee-returns',
      'Return a guarantee to the wallet',
      'WalletMove',
      admin.WalletMove,
    ],
    [
      'repayCredit',
      'credit-repayments',
      'Repay drawn credit from the wallet',
      'WalletMove',
      admin.WalletMove,
    ],
    [
      'repayRecovery',
      'recovery-repayments',
      'Record a repayment of debt',
      'RecoveryRepayment',
      admin.RecoveryRepayment,
    ],
    ['writeOffRecovery', 'recovery-write-offs', 'Write off debt', 'DebtWriteOff', admin.DebtWriteOff],
  ] as const
).map(([id, name, summary, title, body]) =>
  change({
    id,
    method: 'post',
    path: `/merchants/{merchant_no}/${name}`,
    summary,
    description: `${summary}: once for its reference.`,
    body: titled(title, body),
    answer: wallet,
    statuses: once,
    errors: [...moves, 'amount_exceeds_debt'],
  }),
);

const money: readonly Operation[] = [
  read({
    id: 'readMerchantWallet',
    path: '/merchants/{merchant_no}/wallet',
    summary: 'Read a merchant’s wallet',
    answer: wallet,
  }),
  ...walletMoves,
  change({
    id: 'recordPayout',
    method: 'post',
    path: '/channels/{payment_no}/payouts',
    summary: 'Record what a card provider paid out',
    body: titled('PayoutReport', admin.PayoutReport),
    answer: titled('Payout', admin.PayoutAnswer),
    statuses: once,
    errors: ['reference_conflict'],
  }),
  list({
    id: 'listWithdrawals',
    path: '/withdrawals',
    summary: 'List withdrawals',
    query: [
      query('status', 'Only those in this status.', OneOf(['pending', 'paid', 'rejected'], 'A status.')),
    ],
    item: withdrawal,
  }),
  change({
    id: 'createWithdrawal',
    method: 'post',
    path: '/withdrawals',
    summary: 'Ask for a withdrawal',
    body: titled('WithdrawalRequest', admin.WithdrawalRequest),
    answer: withdrawal,
    statuses: once,
    errors: [...moves, 'recovery_outstanding'],
  }),
  change({
    id: 'decideWithdrawal',
    method: 'post',
    path: '/withdrawals/{withdrawal_id}/decision',
    summary: 'Record that a withdrawal was paid out, or reject it',
    body: titled('DecisionOnWithdrawal', admin.DecisionOnWithdrawal),
    answer: withdrawal,
    errors: ['already_decided', 'recovery_outstanding'],
  }),
];

/** What takes the payment of an order back, of either kind. */
const takingBack = (kind: 'collection' | 'catalog', name: string): readonly Operation[] => [
  change({
    id: `request${name}Refund`,
    method: 'post',
    path: `/${kind}-orders/{order_no}/refunds`,
    summary: `Refund a ${kind} order in full`,
    body: titled('RefundRequest', admin.RefundRequest),
    answer: refund,
    statuses: [201],
    errors: ['payment_conflict', 'insufficient_balance', 'already_exists'],
  }),
  change({
    id: `open${name}Complaint`,
    method: 'post',
    path: `/${kind}-orders/{order_no}/complaints`,
    summary: `Open a complaint about a ${kind} order`,
    description: 'Freezes what is held of it until the complaint is decided.',
    body: titled('ComplaintRequest', admin.ComplaintRequest),
    answer: complaint,
    statuses: [201],
    errors: ['payment_conflict', 'already_exists'],
  }),
];

const orders: readonly Operation[] = [
  read({
    id: 'readOrderDetail',
    path: '/collection-orders/{order_no}',
    summary: 'Read everything about an order',
    answer: titled('OrderDetail', admin.OrderDetailAnswer),
  }),
  read({
    id: 'readCatalogOrderDetail',
    path: '/catalog-orders/{order_no}',
    summary: 'Read everything about an order of a product',
    answer: admin.CatalogOrderDetailAnswer,
  }),
  ...takingBack('collection', ''),
  ...takingBack('catalog', 'Catalog'),
  change({
    id: 'decideComplaint',
    method: 'post',
    path: '/complaints/{complaint_id}/decision',
    summary: 'Dismiss or confirm a complaint',
    body: titled('DecisionOnComplaint', admin.DecisionOnComplaint),
    answer: complaint,
    errors: ['already_decided', 'payment_conflict'],
  }),
  list({
    id: 'listCases',
    path: '/cases',
    summary: 'List cases that a person has to look at',
    query: [
      query('state', 'Only those in this state.', OneOf(admin.caseStates, 'A state.')),
      query('kind', 'Only those of this kind.', OneOf(admin.caseKinds, 'A kind.')),
    ],
    item: paymentCase,
  }),
  change({
    id: 'resolveCase',
    method: 'post',
    path: '/cases/{case_id}/resolution',
    summary: 'Resolve a case',
    description: 'What a case can be resolved by depends on what it holds; any other action is refused.',
    body: titled('ResolutionOfCase', admin.ResolutionOfCase),
    answer: paymentCase,
    errors: ['already_decided', 'payment_conflict'],
  }),
];

const operation: readonly Operation[] = [
  change({
    id: 'runJob',
    method: 'post',
    path: '/jobs/{name}/run',
    summary: 'Run one pass of a background job now',
    description: 'Safe beside the running workers. No body is needed, and none is read.',
    answer: titled('JobRun', admin.JobAnswer),
  }),
  read({
    id: 'verifyLedger',
    path: '/ledger/verification',
    summary: 'Verify the books',
    description: 'Adds up everything that was ever posted: it takes its time on large books.',
    answer: titled('Verification', admin.VerificationAnswer),
  }),
  list({
    id: 'listAuditLog',
    path: '/audit-log',
    summary: 'Read the audit log',
    description: 'Newest first. With `target` it is the history of one thing, such as a rate.',
    query: [
      query('target', 'Only what was done to this: `rate:USD`, `order:mp_…`.', Type.String()),
      query('actor', 'Only what this one has done: `key`, or `user:` and an id.', Type.String()),
    ],
    item: titled('AuditEntry', admin.AuditAnswer),
  }),
  read({
    id: 'readNotificationBacklog',
    path: '/notification-backlog',
    summary: 'See which merchants have notifications waiting',
    description: 'Those that wait longest first.',
    query: [query('limit', 'How many merchants at most.', admin.ListLimit)],
    answer: titled('NotificationBacklog', admin.NotificationBacklogAnswer),
  }),
  read({
    id: 'readTestClock',
    path: '/test-clock',
    summary: 'Read the test clock',
    description: 'Only where the test clock is enabled.',
    answer: titled('TestClock', admin.ClockAnswer),
  }),
  change({
    id: 'moveTestClock',
    method: 'put',
    path: '/test-clock',
    summary: 'Move the test clock forward',
    description: 'Only where the test clock is enabled.',
    body: titled('ClockMove', admin.ClockMove),
    answer: titled('TestClock', admin.ClockAnswer),
  }),
];

/** Every call of the administration API. */
export const adminOperations: readonly Operation[] = withCsv(
  [
    ...settings,
    ...people,
    ...adminProductOperations,
    ...money,
    ...orders,
    ...adminListOperations,
    ...operation,
  ],
  ['listAllOrders', 'listComplaints', 'listWithdrawals', 'listMerchants', 'listAuditLog'],
);
