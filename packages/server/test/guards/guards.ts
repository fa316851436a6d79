import type { Guard } from './guard.ts';

const ordersLocked = 'the lock on the order';

/**
 * All guards of the money path, by module. Tags in the sources (`tags.ts`) mark their places. A guard without `tags`
 * has one tag: its own name with hyphens.
 */
export const guards: readonly Guard[] = [
  // Orders
  {
    name: 'collection order locked',
    prevents: 'two courses of action on one order at a time',
  },
  {
    name: 'collection order locked and guarded',
    prevents: 'the same, without the version that a write is guarded by',
    tags: ['collection-order-locked', 'collection-order-guarded'],
  },
  {
    name: 'catalog order locked',
    prevents: 'two courses of action on one catalog order at a time',
  },
  {
    name: 'catalog order locked and guarded',
    prevents: 'the same, without the version that a write is guarded by',
    tags: ['catalog-order-locked', 'catalog-order-guarded'],
  },
  {
    name: 'one order for each key',
    prevents: 'two orders of one creation that was asked for twice',
    tags: [],
    schema: [
      {
        file: '0001_foundation.sql',
        text: '  CONSTRAINT collection_orders_idempotency UNIQUE (merchant_id, idempotency_key),\n',
        instead: '',
      },
    ],
  },
  {
    name: 'each status told',
    prevents: 'an order that expires in a sweep without a notification',
  },
  {
    name: 'deadline before payment',
    prevents: 'a payment that begins after the deadline',
  },
  {
    name: 'only open orders paid',
    prevents: 'a new payment of an expired order',
  },
  {
    name: 'one attempt at a time',
    prevents: 'a second attempt beside one that may still be paid',
  },

  // Payments as they are seen at the provider
  {
    name: 'settled once',
    prevents: 'a second payment that settles its order again',
    scene: 'paid after a refusal',
  },
  {
    name: 'a payment is final',
    prevents: 'a paid attempt that a later look unmakes',
  },
  {
    name: 'two looks for an absence',
    prevents: 'a session that is taken for absent because a list lags behind',
    scene: 'a creation is lost',
  },
  {
    name: 'only a first refusal unlocks',
    prevents: 'a refused retry that frees an order although the first request made a session',
    scene: 'a creation is lost',
  },
  {
    name: 'attempt guarded by its state',
    prevents: 'an attempt written over by who read it before',
    scene: 'a creation is lost',
    behind: ordersLocked,
  },
  {
    name: 'order locked and attempt guarded',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'attempt-guarded-by-its-state'],
    scene: 'a creation is lost',
  },
  {
    name: 'amount compared',
    prevents: 'a session of another amount that pays the order',
    scene: 'something else is paid',
  },
  {
    name: 'currency compared',
    prevents: 'a session in another currency that pays the order',
    scene: 'something else is paid',
  },
  {
    name: 'session compared',
    prevents: 'a payment through another session than the one that was asked for',
    scene: 'another session is paid first',
    behind: 'the same question under the lock on the order',
  },
  {
    name: 'session compared under the lock',
    prevents: 'the same, where the attempt has learned of its own session meanwhile',
    scene: 'another session is paid first',
    behind: 'the comparison before, but for that one moment',
  },
  {
    name: 'session compared at all',
    prevents: 'either',
    tags: ['session-compared', 'session-compared-under-the-lock'],
    scene: 'another session is paid first',
  },
  {
    name: 'second payment put to a person',
    prevents: 'money of a second payment that is in no book',
    scene: 'paid after a refusal',
  },
  {
    name: 'payment in one case only',
    prevents: 'a payment that a case holds and that settles an order as well',
    scene: 'something else is paid',
  },
  {
    name: 'one case for each payment',
    prevents: 'two cases about one receipt',
    schema: [
      {
        file: '0003_cases.sql',
        text: '  CONSTRAINT payment_cases_once UNIQUE (merchant_id, kind, dedupe_key),\n',
        instead: '',
      },
    ],
    scene: 'paid after a refusal',
    behind: 'the lock on the order, under which its cases are read',
  },
  {
    name: 'order locked and one case for each payment',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'one-case-for-each-payment'],
    schema: [
      {
        file: '0003_cases.sql',
        text: '  CONSTRAINT payment_cases_once UNIQUE (merchant_id, kind, dedupe_key),\n',
        instead: '',
      },
    ],
    scene: 'paid after a refusal',
  },
  {
    name: 'one session for each attempt',
    prevents: 'two payment pages of one attempt, where an answer was lost',
    scene: 'a creation is lost',
  },
  {
    name: 'webhook stored once',
    prevents: 'an event that is refused when the provider repeats it',
  },

  // Fees of merchants’ own channels
  {
    name: 'fee guarded by its state',
    prevents: 'a fee that is taken and given back',
    scene: 'fees on credit',
    behind: ordersLocked,
  },
  {
    name: 'order locked and fee guarded',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'fee-guarded-by-its-state'],
    scene: 'fees on credit',
  },
  {
    name: 'fee taken or given back',
    prevents: 'a fee of a second payment that stays reserved',
    scene: 'paid after a refusal',
  },
  {
    name: 'fee of a late payment',
    prevents: 'a payment after its fee was given back that costs no fee',
    scene: 'paid after a refusal',
  },
  {
    name: 'credit line',
    prevents: 'fees on more credit than was approved',
    scene: 'fees on credit',
  },
  {
    name: 'fee funds locked',
    prevents: 'two fees that are raised from the same funds',
    scene: 'fees on credit',
  },
  {
    name: 'credit given back where it is drawn',
    prevents: 'a released fee that repays credit that was repaid meanwhile',
    scene: 'fees on credit',
  },

  // Holds
  {
    name: 'released once',
    prevents: 'a hold that two workers end',
    scene: 'a hold is over',
  },
  {
    name: 'nothing frozen released',
    prevents: 'a release that meets a complaint',
    scene: 'a hold is over',
  },
  {
    name: 'hold guarded by its end',
    prevents: 'a hold that ends twice',
    scene: 'a hold is over',
    behind: ordersLocked,
  },
  {
    name: 'order locked and hold guarded',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'hold-guarded-by-its-end'],
    scene: 'a hold is over',
  },
  {
    name: 'released when it is due',
    prevents: 'a hold that ends early',
    scene: 'a hold is over',
  },
  {
    name: 'order funds locked',
    prevents: 'two losses that are taken from the same funds',
    tags: ['available-funds-locked-first', 'order-funds-locked-row-by-row'],
    scene: 'losses at once',
  },
  {
    name: 'order funds locked row by row',
    prevents: 'the same',
    scene: 'losses at once',
    behind: 'the lock on what is available, which is taken before',
  },

  // Refunds, complaints and disputes
  {
    name: 'one refund at a time',
    prevents: 'two refunds of one order',
    scene: 'complained and refunded',
  },
  {
    name: 'no refund of what is lost in part',
    prevents: 'a full refund of a payment of which a part is gone',
    scene: 'complained and refunded',
  },
  {
    name: 'nothing back twice',
    prevents: 'a refund or complaint of an order whose payment went back',
    scene: 'complained and refunded',
  },
  {
    name: 'refund guarded by its state',
    prevents: 'a refund that ends twice',
    scene: 'complained and refunded',
    behind: ordersLocked,
  },
  {
    name: 'order and refund locked and guarded',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'refund-guarded-by-its-state'],
    scene: 'complained and refunded',
  },
  {
    name: 'refund under one key',
    prevents: 'a refund that is made again where its answer was lost',
    scene: 'complained and refunded',
    behind: 'the provider, which gives no more back than was paid',
  },
  {
    name: 'refund seen after the end',
    prevents: 'a refund that is booked on top of a chargeback',
    scene: 'complained and refunded',
  },
  {
    name: 'refund of the payment that settled',
    prevents: 'the return of a second payment that refunds the order',
    scene: 'paid after a refusal',
    behind: 'the case that holds the payment, which is told first, and whose name its refund bears',
  },
  {
    name: 'refund of a second payment told apart',
    prevents: 'the same, without the case and its name',
    tags: [
      'refund-of-the-payment-that-settled',
      'refunds-of-cases-kept-apart',
      'refunds-of-cases-applied-to-cases',
    ],
    scene: 'paid after a refusal',
  },
  {
    name: 'refunds of cases kept apart',
    prevents: 'what a case gave back that counts as the order’s refund',
    scene: 'something else is paid',
  },
  {
    name: 'one complaint at a time',
    prevents: 'two open complaints about one order',
    scene: 'complained and refunded',
  },
  {
    name: 'complaint decided once',
    prevents: 'a complaint that is confirmed and dismissed',
    scene: 'complained and refunded',
  },
  {
    name: 'complaint guarded by its state',
    prevents: 'the same',
    scene: 'complained and refunded',
    behind: ordersLocked,
  },
  {
    name: 'order locked and complaint guarded',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'complaint-guarded-by-its-state'],
    scene: 'complained and refunded',
  },
  {
    name: 'no loss beside a refund',
    prevents: 'a confirmed loss of what is being refunded',
    scene: 'complained and refunded',
  },
  {
    name: 'dispute after the end',
    prevents: 'a dispute that is booked on top of a refund',
    scene: 'complained and refunded',
  },
  {
    name: 'dispute lost once',
    prevents: 'a lost dispute that is booked again when it is told again',
    scene: 'complained and refunded',
  },

  // Cases
  {
    name: 'case locked and guarded',
    prevents: 'a case that two people decide',
    tags: ['case-locked', 'case-guarded-by-its-state'],
    scene: 'nobody’s money',
  },
  {
    name: 'order and case locked and guarded',
    prevents: 'the same, without the lock on the order',
    tags: ['collection-order-locked', 'catalog-order-locked', 'case-locked', 'case-guarded-by-its-state'],
    scene: 'something else is paid',
  },
  {
    name: 'case locked',
    prevents: 'the same',
    scene: 'nobody’s money',
    behind: 'the state that a write is guarded by',
  },
  {
    name: 'case guarded by its state',
    prevents: 'the same',
    scene: 'nobody’s money',
    behind: 'the lock on the case',
  },
  {
    name: 'unpaid order adopted',
    prevents: 'a receipt that pays an order which is paid already',
    scene: 'nobody’s money',
  },
  {
    name: 'adopted currency compared',
    prevents: 'a receipt in another currency that is adopted',
    scene: 'nobody’s money',
  },
  {
    name: 'adopted amount compared',
    prevents: 'a receipt of another amount that is adopted',
    scene: 'nobody’s money',
  },
  {
    name: 'case decided once',
    prevents: 'a case that is resolved again',
    scene: 'something else is paid',
  },
  {
    name: 'nothing beside a case’s refund',
    prevents: 'a case that is accepted while its money goes back',
    scene: 'something else is paid',
  },
  {
    name: 'case’s refund under one key',
    prevents: 'a rest that goes back twice where an answer was lost',
    scene: 'something else is paid',
  },
  {
    name: 'accepted for unpaid orders only',
    prevents: 'a receipt that pays what is paid',
    scene: 'another session is paid first',
    behind: 'the check of the attempt, where that has paid it',
  },
  {
    name: 'accepted for unpaid attempts only',
    prevents: 'a receipt that stays in suspense because its attempt was paid, too late to be fulfilled',
    scene: 'paid after a refusal',
  },
  {
    name: 'accepted for what is unpaid only',
    prevents: 'either',
    tags: ['accepted-for-unpaid-orders-only', 'accepted-for-unpaid-attempts-only'],
    scene: 'another session is paid first',
  },
  {
    name: 'accepted in the order’s currency',
    prevents: 'a receipt in other money that pays the order',
    scene: 'something else is paid',
  },
  {
    name: 'accepted where it covers',
    prevents: 'too little that pays the order',
    scene: 'something else is paid',
  },
  {
    name: 'closed where nothing is booked',
    prevents: 'money that stays in suspense for good',
    scene: 'something else is paid',
  },

  // The books and wallets
  {
    name: 'reference claimed',
    prevents: 'one reference that is posted twice',
  },
  {
    name: 'reference claimed and posted once',
    prevents: 'the same, without the key of the transfers',
    tags: ['reference-claimed'],
    schema: [
      {
        file: '0001_foundation.sql',
        text: '  PRIMARY KEY (merchant_id, subject, posting, case_key, leg),\n',
        instead: '',
      },
    ],
  },
  {
    name: 'balances cover',
    prevents: 'a merchant who spends more than there is',
    scene: 'losses at once',
  },
  {
    name: 'wallets cover',
    prevents: 'a buyer who spends more than there is',
  },
  {
    name: 'withdrawal decided once',
    prevents: 'a withdrawal that is paid out and given back',
    scene: 'losses at once',
    behind: 'the amount that waits for the decision, which covers one',
  },
  {
    name: 'withdrawal decided and covered once',
    prevents: 'the same, without the cover of what waits for the decision',
    tags: ['withdrawal-decided-once', 'balances-cover'],
    scene: 'losses at once',
  },
  {
    name: 'nothing asked for that is owed',
    prevents: 'a withdrawal by a merchant with debts',
    scene: 'losses at once',
  },
  {
    name: 'nothing paid out that is owed',
    prevents: 'the same, where the debt came later',
    scene: 'losses at once',
  },
  {
    name: 'debts asked under the lock',
    prevents: 'the same, at the very moment',
    scene: 'losses at once',
  },

  // The catalog
  {
    name: 'stock taken where it covers',
    prevents: 'more sold than there is',
    scene: 'the last ones',
    behind: 'the lock on the product and the check of its stock',
  },
  {
    name: 'product locked',
    prevents: 'two buyers of the last one',
    scene: 'the last ones',
    behind: 'the stock that is taken only where it covers',
  },
  {
    name: 'product locked and covered',
    prevents: 'the same, without either, and without the check in the database',
    tags: ['product-locked', 'stock-taken-where-it-covers'],
    schema: [{ file: '0010_catalog.sql', text: 'in_stock >= 0 AND ', instead: '' }],
    scene: 'the last ones',
  },
  {
    name: 'stock given back',
    prevents: 'stock that is lost with an order that was given up',
  },
  {
    name: 'stock given back by the sweep',
    prevents: 'the same, where many are swept at once',
  },
  {
    name: 'stock taken again',
    prevents: 'a late payment of what another has bought meanwhile',
    scene: 'paid after a refusal',
  },
  {
    name: 'late payment of what is gone',
    prevents: 'a late payment that can neither be fulfilled nor become a case',
    scene: 'paid after a refusal',
  },
  {
    name: 'codes handed out under a lock',
    prevents: 'one code for two orders',
    scene: 'the last ones',
  },
  {
    name: 'free codes only',
    prevents: 'the same, without what a write is guarded by and the guard in the database',
    tags: ['codes-handed-out-under-a-lock', 'free-codes-only'],
    schema: [
      {
        file: '0011_catalog_orders.sql',
        text: "RAISE EXCEPTION 'a code goes out once'",
        instead: 'RETURN NEW; --',
      },
    ],
    scene: 'the last ones',
  },
  {
    name: 'codes for paid orders only',
    prevents: 'codes for an order that was refunded or has its codes',
    scene: 'the last ones',
  },
  {
    name: 'delivered once',
    prevents: 'the delivery of what was refunded or delivered',
    scene: 'the last ones',
  },
];
