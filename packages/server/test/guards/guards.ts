import type { Edit, Guard } from './guard.ts';

const edit = (file: string, text: string, instead = ''): Edit => ({ file, text, instead });

const collectionLock = edit(
  'src/collection/orders/order.sql.ts',
  'AND order_no = ${order_no}\n      FOR UPDATE`',
  'AND order_no = ${order_no}`',
);
const collectionVersion = edit(
  'src/collection/orders/order.sql.ts',
  '\n        AND status = ${before.status} AND status_version = ${before.status_version}::integer',
);
const catalogLock = edit(
  'src/catalog/orders/order.sql.ts',
  'AND order_no = ${order_no}\n      FOR UPDATE`',
  'AND order_no = ${order_no}`',
);
const catalogVersion = edit(
  'src/catalog/orders/order.sql.ts',
  '\n        AND state = ${before.state} AND state_version = ${before.state_version}::integer',
);
const attemptState = edit('src/payments/attempts/attempt.sql.ts', ' AND state = ${before.state}`', '`');
const feeState = edit(
  'src/payments/merchant-fees/fee-reservation.sql.ts',
  '\n        AND state = ${before.state}`',
  '`',
);
const refundState = edit(
  'src/payments/losses/refund.sql.ts',
  '\n        AND status = ${before.status}`',
  '`',
);
const complaintState = edit(
  'src/payments/losses/complaint.sql.ts',
  '\n        AND status = ${before.status}`',
  '`',
);
const fundsRow = edit('src/ledger/books/ledger.sql.ts', 'AND ref = ${ref} FOR UPDATE`', 'AND ref = ${ref}`');
const fundsFirst = edit(
  'src/ledger/books/read-balances.ts',
  '    lockAvailable(tx, merchant_id),',
  '    null,',
);
const caseLock = edit(
  'src/payments/cases/case.sql.ts',
  'AND case_id = ${case_id}\n      FOR UPDATE`',
  'AND case_id = ${case_id}`',
);
const caseState = edit(
  'src/payments/cases/case.sql.ts',
  `AND state = \${before.state}
        AND booked = \${before.booked}::boolean AND refund_seq = \${before.refund_seq}::smallint
        AND refund_status IS NOT DISTINCT FROM \${before.refund_status}\``,
  '`',
);
const sessionKey = edit(
  'src/channels/card.ts',
  'idempotencyKey: `att_${session.attempt_id}`',
  'idempotencyKey: `att_${session.attempt_id}_${Math.random()}`',
);
const productLock = edit('src/catalog/products/product.sql.ts', ' FOR UPDATE`', '`');
const stockCovers = edit('src/catalog/products/stock.sql.ts', ' AND in_stock >= ${quantity}::integer`', '`');
const stockCheck = edit('migrations/0010_catalog.sql', 'in_stock >= 0 AND ');
const codeFree = edit(
  'src/catalog/fulfilment/codes.sql.ts',
  '\n        AND order_no IS NULL`,\n    rows',
  '`,\n    rows',
);
const codeGuard = edit(
  'migrations/0011_catalog_orders.sql',
  "RAISE EXCEPTION 'a code goes out once'",
  'RETURN NEW; --',
);
const holdOnce = edit(
  'src/payments/holds/hold.sql.ts',
  `frozen = false
      WHERE merchant_id = \${merchant_id}::uuid AND order_no = \${order_no} AND released_at IS NULL\``,
  'frozen = false\n      WHERE merchant_id = ${merchant_id}::uuid AND order_no = ${order_no}`',
);
const isDue =
  'AND released_at IS NULL AND NOT frozen AND release_at <= ${now}`,\n  );\n  return rows.length === 1;';
const claimed = edit(
  'src/ledger/books/post-once.ts',
  'await claimReference(tx, entry.merchant_id, kind, reference);',
);
const balanceCovers = edit(
  'src/ledger/books/ledger.sql.ts',
  ' AND ref = ${ref} AND balance >= ${amount}::numeric`',
  ' AND ref = ${ref}`',
);
const withdrawalPending = edit('src/ledger/wallets/withdrawals.sql.ts', " AND status = 'pending'`", '`');

const acceptedUnpaid = edit(
  'src/payments/decisions/resolve-case.ts',
  "if (order.phase === 'settled') throw refusal('The order has been paid already.');",
);
const acceptedOnce = edit(
  'src/payments/decisions/resolve-case.ts',
  "if (isPaid(attempt)) throw refusal('The attempt has been paid by another receipt.');",
  'void isPaid;',
);
const oneCase = [
  edit(
    'migrations/0003_cases.sql',
    '  CONSTRAINT payment_cases_once UNIQUE (merchant_id, kind, dedupe_key),\n',
  ),
  edit(
    'src/payments/cases/case.sql.ts',
    '\n    ON CONFLICT (merchant_id, kind, dedupe_key) DO UPDATE SET case_id = known.case_id',
  ),
];
const sessionCompared = edit(
  'src/payments/card/compare-session.ts',
  "if (attempt.session_id !== null && attempt.session_id !== session.id) return 'session';",
);
const sessionLearned = edit(
  'src/payments/settling/known-cases.ts',
  'if (before.session_id === null || before.session_id === seen.session.id) return seen;',
  'if (before.session_id === null || before.session_id !== null) return seen;',
);
const ofTheSettling = edit(
  'src/payments/losses/settle-refund.ts',
  "if (paid.attempt.attempt_id !== attempt_id) return ended('of a payment that settled no order');",
);
const keptApart = edit(
  'src/payments/losses/settle-refund.ts',
  'found.refunds.filter(({ case_id }) => case_id === null)',
  'found.refunds',
);
const caseFirst = edit(
  'src/payments/decisions/follow-refunds.ts',
  'if (ofCase !== null) return ofCase;',
  'void ofCase;',
);

const ordersLocked = 'the lock on the order';

/** Every guard of the money path, module by module. */
export const guards: readonly Guard[] = [
  // ------------------------------------------------------------------ orders
  {
    name: 'collection order locked',
    prevents: 'two courses of action on one order at a time',
    edits: [collectionLock],
  },
  {
    name: 'collection order locked and guarded',
    prevents: 'the same, without the version that a write is guarded by',
    edits: [collectionLock, collectionVersion],
  },
  {
    name: 'catalog order locked',
    prevents: 'two courses of action on one catalog order at a time',
    edits: [catalogLock],
  },
  {
    name: 'catalog order locked and guarded',
    prevents: 'the same, without the version that a write is guarded by',
    edits: [catalogLock, catalogVersion],
  },
  {
    name: 'one order for each key',
    prevents: 'two orders of one creation that was asked for twice',
    edits: [
      edit(
        'migrations/0001_foundation.sql',
        '  CONSTRAINT collection_orders_idempotency UNIQUE (merchant_id, idempotency_key),\n',
      ),
    ],
  },
  {
    name: 'each status told',
    prevents: 'an order that expires in a sweep and tells nobody',
    edits: [edit('src/collection/orders/expire-order.ts', ', ...announceAll(after, deps.ids, now)')],
  },
  {
    name: 'deadline before payment',
    prevents: 'a payment that begins after the deadline',
    edits: [
      edit(
        'src/payments/card/start-payment.ts',
        'if (overdue !== null) {',
        'if (overdue !== null && now < order.expires_at) {',
      ),
    ],
  },
  {
    name: 'only open orders paid',
    prevents: 'a payment of an expired order that begins anew',
    edits: [
      edit(
        'src/payments/card/start-payment.ts',
        "if (order.phase !== 'open') throw new AppError('payment_expired');",
      ),
    ],
  },
  {
    name: 'one attempt at a time',
    prevents: 'a second attempt beside one that may still be paid',
    edits: [
      edit(
        'src/payments/card/start-payment.ts',
        'const attempt = attempts.find(counts);',
        'const attempt = attempts.find(() => false);',
      ),
    ],
  },

  // ------------------------------------------------------------------ what is seen at the provider
  {
    name: 'settled once',
    prevents: 'a second payment that settles its order again',
    scene: 'paid after a refusal',
    edits: [edit('src/payments/settling/settle.ts', " && order.phase !== 'settled';", ';')],
  },
  {
    name: 'a payment is final',
    prevents: 'a paid attempt that a later look unmakes',
    edits: [
      edit(
        'src/payments/attempts/after-observation.ts',
        'if (isPaid(before)) return besideAccepted(before, seen, now);',
      ),
    ],
  },
  {
    name: 'two looks for an absence',
    prevents: 'a session that is taken for absent because a list lags behind',
    scene: 'a creation is lost',
    edits: [
      edit(
        'src/payments/attempts/absence.ts',
        'if (lateEnough) return',
        'if (Date.parse(absent_at) > 0) return',
      ),
      edit(
        'src/payments/attempts/absence.ts',
        'const { absent_at } = known.detail;',
        'const { absent_at = now.toISOString() } = known.detail as { absent_at?: string };',
      ),
    ],
  },
  {
    name: 'only a first refusal unlocks',
    prevents: 'a refused retry that frees an order although the first request made a session',
    scene: 'a creation is lost',
    edits: [
      edit(
        'src/payments/attempts/after-observation.ts',
        "before.state === 'creating' && before.unclear_since === null",
        'inCreation',
      ),
    ],
  },
  {
    name: 'attempt guarded by its state',
    prevents: 'an attempt written over by who read it before',
    behind: ordersLocked,
    scene: 'a creation is lost',
    edits: [attemptState],
  },
  {
    name: 'order locked and attempt guarded',
    prevents: 'the same, without the lock on the order',
    scene: 'a creation is lost',
    edits: [collectionLock, catalogLock, attemptState],
  },
  {
    name: 'amount compared',
    prevents: 'a session of another amount that pays the order',
    scene: 'something else is paid',
    edits: [
      edit('src/payments/card/compare-session.ts', "if (session.amount !== attempt.amount) return 'amount';"),
    ],
  },
  {
    name: 'currency compared',
    prevents: 'a session in another currency that pays the order',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/card/compare-session.ts',
        "if (session.currency !== attempt.currency) return 'currency';",
      ),
    ],
  },
  {
    name: 'session compared',
    prevents: 'a payment through another session than the one that was asked for',
    behind: 'the same question under the lock on the order',
    scene: 'another session is paid first',
    edits: [sessionCompared],
  },
  {
    name: 'session compared under the lock',
    prevents: 'the same, where the attempt has learned of its own session meanwhile',
    behind: 'the comparison before, but for that one moment',
    scene: 'another session is paid first',
    edits: [sessionLearned],
  },
  {
    name: 'session compared at all',
    prevents: 'either',
    scene: 'another session is paid first',
    edits: [sessionCompared, sessionLearned],
  },
  {
    name: 'second payment put to a person',
    prevents: 'money of a second payment that is in no book',
    scene: 'paid after a refusal',
    edits: [
      edit(
        'src/payments/settling/attempt-cases.ts',
        'at.lapsed || isSecond(order, before, seen)',
        'at.lapsed',
      ),
    ],
  },
  {
    name: 'payment in one case only',
    prevents: 'a payment that a case holds and that settles an order as well',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/settling/known-cases.ts',
        'return holder === undefined ? seen : settledBy(holder.case_id);',
        'return seen;',
      ),
    ],
  },
  {
    name: 'one case for each payment',
    prevents: 'two cases about one receipt',
    behind: 'the lock on the order, under which its cases are read',
    scene: 'paid after a refusal',
    edits: oneCase,
  },
  {
    name: 'order locked and one case for each payment',
    prevents: 'the same, without the lock on the order',
    scene: 'paid after a refusal',
    edits: [collectionLock, catalogLock, ...oneCase],
  },
  {
    name: 'one session for each attempt',
    prevents: 'two payment pages of one attempt, where an answer was lost',
    scene: 'a creation is lost',
    edits: [sessionKey],
  },
  {
    name: 'webhook stored once',
    prevents: 'an event that is refused when the provider repeats it',
    edits: [
      edit(
        'src/payments/webhooks/webhook.sql.ts',
        'ON CONFLICT (payment_no, provider_event_id) DO NOTHING RETURNING 1',
        'RETURNING 1',
      ),
    ],
  },

  // ------------------------------------------------------------------ fees of merchants' own channels
  {
    name: 'fee guarded by its state',
    prevents: 'a fee that is taken and given back',
    behind: ordersLocked,
    scene: 'fees on credit',
    edits: [feeState],
  },
  {
    name: 'order locked and fee guarded',
    prevents: 'the same, without the lock on the order',
    scene: 'fees on credit',
    edits: [collectionLock, catalogLock, feeState],
  },
  {
    name: 'fee taken or given back',
    prevents: 'a fee of a second payment that stays reserved',
    scene: 'paid after a refusal',
    edits: [
      edit(
        'src/payments/merchant-fees/fee-reservation.ts',
        '(isOver(attempt) || isPaid(attempt))',
        'isOver(attempt)',
      ),
    ],
  },
  {
    name: 'fee of a late payment',
    prevents: 'a payment after its fee was given back that costs no fee',
    scene: 'paid after a refusal',
    edits: [
      edit(
        'src/payments/merchant-fees/fee-reservation.ts',
        "state === 'released' ? 'capture_late' : null",
        'null',
      ),
    ],
  },
  {
    name: 'credit line',
    prevents: 'fees on more credit than was approved',
    scene: 'fees on credit',
    edits: [
      edit(
        'src/payments/merchant-fees/split-fee.ts',
        'return credit_ptk <= freeCredit(funds) ? { available_ptk, credit_ptk } : null;',
        'return { available_ptk, credit_ptk };',
      ),
    ],
  },
  {
    name: 'fee funds locked',
    prevents: 'two fees that are raised from the same funds',
    scene: 'fees on credit',
    edits: [
      edit(
        'src/ledger/books/funds.ts',
        'Promise.all([lockAvailable(tx, merchant_id), readFunds(tx, merchant_id)])',
        'Promise.all([lockAvailable, readFunds(tx, merchant_id)])',
      ),
    ],
  },
  {
    name: 'credit given back where it is drawn',
    prevents: 'a released fee that repays credit that was repaid meanwhile',
    scene: 'fees on credit',
    edits: [
      edit(
        'src/payments/merchant-fees/split-fee.ts',
        'minOf(reserved.credit_ptk, credit_drawn_ptk)',
        'minOf(reserved.credit_ptk, reserved.credit_ptk + credit_drawn_ptk)',
      ),
    ],
  },

  // ------------------------------------------------------------------ holds
  {
    name: 'released once',
    prevents: 'a hold that two workers end',
    scene: 'a hold is over',
    edits: [edit('src/payments/holds/hold.sql.ts', isDue, isDue.replace('released_at IS NULL AND ', ''))],
  },
  {
    name: 'nothing frozen released',
    prevents: 'a release that meets a complaint',
    scene: 'a hold is over',
    edits: [edit('src/payments/holds/hold.sql.ts', isDue, isDue.replace('NOT frozen AND ', ''))],
  },
  {
    name: 'hold guarded by its end',
    prevents: 'a hold that ends twice',
    behind: ordersLocked,
    scene: 'a hold is over',
    edits: [holdOnce],
  },
  {
    name: 'order locked and hold guarded',
    prevents: 'the same, without the lock on the order',
    scene: 'a hold is over',
    edits: [collectionLock, catalogLock, holdOnce],
  },
  {
    name: 'released when it is due',
    prevents: 'a hold that ends early',
    scene: 'a hold is over',
    edits: [
      edit('src/payments/holds/hold.sql.ts', isDue, isDue.replace(' AND release_at <= ${now}', '')),
      edit(
        'src/payments/holds/hold.sql.ts',
        'AND released_at IS NULL AND NOT frozen AND release_at <= ${now}\n',
        'AND released_at IS NULL AND NOT frozen\n',
      ),
      edit(
        'src/payments/holds/hold.sql.ts',
        ' AND NOT h.frozen AND h.release_at <= ${now}',
        ' AND NOT h.frozen',
      ),
    ],
  },
  {
    name: 'order funds locked',
    prevents: 'two losses that are taken from the same funds',
    scene: 'losses at once',
    edits: [fundsFirst, fundsRow],
  },
  {
    name: 'order funds locked row by row',
    prevents: 'the same',
    behind: 'the lock on what is available, which is taken before',
    scene: 'losses at once',
    edits: [fundsRow],
  },

  // ------------------------------------------------------------------ refunds, complaints, disputes
  {
    name: 'one refund at a time',
    prevents: 'two refunds of one order',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/request-refund.ts',
        "if (paid.refund !== null) throw conflict('A refund of the order is under way.');",
      ),
    ],
  },
  {
    name: 'no refund of what is lost in part',
    prevents: 'a full refund of a payment of which a part is gone',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/request-refund.ts',
        "if (paid.lost > 0n) throw conflict('A part of the payment has been lost already.');",
      ),
    ],
  },
  {
    name: 'nothing back twice',
    prevents: 'a refund or complaint of an order whose payment went back',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/paid-order.ts',
        "if (paid.order.reversed === 'refunded') throw conflict('The order has been refunded already.');",
      ),
      edit(
        'src/payments/losses/paid-order.ts',
        "if (paid.order.reversed === 'chargeback') throw conflict('The order has been charged back already.');",
      ),
    ],
  },
  {
    name: 'refund guarded by its state',
    prevents: 'a refund that ends twice',
    behind: ordersLocked,
    scene: 'complained and refunded',
    edits: [refundState],
  },
  {
    name: 'order and refund locked and guarded',
    prevents: 'the same, without the lock on the order',
    scene: 'complained and refunded',
    edits: [collectionLock, catalogLock, refundState],
  },
  {
    name: 'refund under one key',
    prevents: 'a refund that is made again where its answer was lost',
    behind: 'the provider, which gives no more back than was paid',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/pursue-refund.ts',
        'idempotency_key: `ref_${refund_id}`',
        'idempotency_key: `ref_${refund_id}_${Math.random()}`',
      ),
    ],
  },
  {
    name: 'refund seen after the end',
    prevents: 'a refund that is booked on top of a chargeback',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/settle-refund.ts',
        'if (paid.order.reversed !== null) return afterTheEnd(deps, tx, paid, seen, now);',
      ),
    ],
  },
  {
    name: 'refund of the payment that settled',
    prevents: 'the return of a second payment that refunds the order',
    behind: 'the case that holds the payment, which is told first, and whose name its refund bears',
    scene: 'paid after a refusal',
    edits: [ofTheSettling],
  },
  {
    name: 'refund of a second payment told apart',
    prevents: 'the same, without the case and its name',
    scene: 'paid after a refusal',
    edits: [ofTheSettling, keptApart, caseFirst],
  },
  {
    name: 'refunds of cases kept apart',
    prevents: 'what a case gave back that counts as the order’s refund',
    scene: 'something else is paid',
    edits: [keptApart],
  },
  {
    name: 'one complaint at a time',
    prevents: 'two open complaints about one order',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/open-complaint.ts',
        "if (paid.open_complaint !== null) throw conflict('A complaint about the order is open.');",
      ),
    ],
  },
  {
    name: 'complaint decided once',
    prevents: 'a complaint that is confirmed and dismissed',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/decide-complaint.ts',
        "if (before.status !== 'open') {",
        "if (before.status === 'closed') {",
      ),
    ],
  },
  {
    name: 'complaint guarded by its state',
    prevents: 'the same',
    behind: ordersLocked,
    scene: 'complained and refunded',
    edits: [complaintState],
  },
  {
    name: 'order locked and complaint guarded',
    prevents: 'the same, without the lock on the order',
    scene: 'complained and refunded',
    edits: [collectionLock, catalogLock, complaintState],
  },
  {
    name: 'no loss beside a refund',
    prevents: 'a confirmed loss of what is being refunded',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/decide-complaint.ts',
        "if (paid.refund !== null) throw conflict('A refund of the order is under way.');",
      ),
    ],
  },
  {
    name: 'dispute after the end',
    prevents: 'a dispute that is booked on top of a refund',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/settle-dispute.ts',
        'if (order.reversed !== null) return ended(`order ${order.reversed} already`);',
      ),
    ],
  },
  {
    name: 'dispute lost once',
    prevents: 'a lost dispute that is booked again when it is told again',
    scene: 'complained and refunded',
    edits: [
      edit(
        'src/payments/losses/settle-dispute.ts',
        "known?.status === 'confirmed' || loss_amount <= 0n",
        'loss_amount <= 0n',
      ),
    ],
  },

  // ------------------------------------------------------------------ cases
  {
    name: 'case locked and guarded',
    prevents: 'a case that two people decide',
    behind: 'the lock on the order of the case; where there is none, the key of its refund and the provider',
    scene: 'nobody’s money',
    edits: [caseLock, caseState],
  },
  {
    name: 'order and case locked and guarded',
    prevents: 'the same, without the lock on the order',
    scene: 'something else is paid',
    edits: [collectionLock, catalogLock, caseLock, caseState],
  },
  {
    name: 'case locked',
    prevents: 'the same',
    behind: 'the state that a write is guarded by',
    scene: 'nobody’s money',
    edits: [caseLock],
  },
  {
    name: 'case guarded by its state',
    prevents: 'the same',
    behind: 'the lock on the case',
    scene: 'nobody’s money',
    edits: [caseState],
  },
  {
    name: 'case decided once',
    prevents: 'a case that is resolved again',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/decisions/case-actions.ts',
        "if (state === 'resolved') throw refusal('The case has been resolved already.');",
      ),
    ],
  },
  {
    name: 'nothing beside a case’s refund',
    prevents: 'a case that is accepted while its money goes back',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/decisions/case-actions.ts',
        "if (refund_status !== null) throw refusal('Its refund is under way at the provider.');",
      ),
    ],
  },
  {
    name: 'case’s refund under one key',
    prevents: 'a rest that goes back twice where an answer was lost',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/decisions/case-refund.ts',
        'idempotency_key: refund_seq === 1',
        'idempotency_key: refund_seq === 1 ? `case_${case_id}_${Math.random()}` : refund_seq === 1',
      ),
    ],
  },
  {
    name: 'accepted for unpaid orders only',
    prevents: 'a receipt that pays what is paid',
    behind: 'the check of the attempt, where that has paid it',
    scene: 'another session is paid first',
    edits: [acceptedUnpaid],
  },
  {
    name: 'accepted for unpaid attempts only',
    prevents: 'a receipt that stays in suspense because its attempt was paid, too late to be fulfilled',
    scene: 'paid after a refusal',
    edits: [acceptedOnce],
  },
  {
    name: 'accepted for what is unpaid only',
    prevents: 'either',
    scene: 'another session is paid first',
    edits: [acceptedUnpaid, acceptedOnce],
  },
  {
    name: 'accepted in the order’s currency',
    prevents: 'a receipt in other money that pays the order',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/decisions/resolve-case.ts',
        'if (currency !== attempt.currency) throw refusal(`The order is to be paid in ${attempt.currency}.`);',
      ),
    ],
  },
  {
    name: 'accepted where it covers',
    prevents: 'too little that pays the order',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/decisions/resolve-case.ts',
        "if (amount < attempt.amount) throw refusal('Less was received than the buyer had to pay.');",
      ),
    ],
  },
  {
    name: 'closed where nothing is booked',
    prevents: 'money that stays in suspense for good',
    scene: 'something else is paid',
    edits: [
      edit(
        'src/payments/decisions/resolve-case.ts',
        'if (before.booked)\n',
        'if (before.booked && before.amount === null)\n',
      ),
    ],
  },

  // ------------------------------------------------------------------ the books and wallets
  {
    name: 'reference claimed',
    prevents: 'one reference that is posted twice',
    edits: [claimed],
  },
  {
    name: 'reference claimed and posted once',
    prevents: 'the same, without the key of the transfers',
    edits: [
      claimed,
      edit(
        'migrations/0001_foundation.sql',
        '  PRIMARY KEY (merchant_id, subject, posting, case_key, leg),\n',
      ),
    ],
  },
  {
    name: 'balances cover',
    prevents: 'a merchant who spends more than there is',
    scene: 'losses at once',
    edits: [balanceCovers],
  },
  {
    name: 'wallets cover',
    prevents: 'a buyer who spends more than there is',
    edits: [
      edit(
        'src/ledger/books/ledger.sql.ts',
        'WHERE user_id = ${user_id} AND available_ptk >= ${amount}::numeric`',
        'WHERE user_id = ${user_id}`',
      ),
    ],
  },
  {
    name: 'withdrawal decided once',
    prevents: 'a withdrawal that is paid out and given back',
    behind: 'the amount that waits for the decision, which covers one',
    scene: 'losses at once',
    edits: [withdrawalPending],
  },
  {
    name: 'withdrawal decided and covered once',
    prevents: 'the same, without the cover of what waits for the decision',
    scene: 'losses at once',
    edits: [withdrawalPending, balanceCovers],
  },
  {
    name: 'nothing asked for that is owed',
    prevents: 'a withdrawal by a merchant with debts',
    scene: 'losses at once',
    edits: [edit('src/ledger/wallets/withdrawals.ts', '  await refuseWhileOwing(tx, merchant_id);\n')],
  },
  {
    name: 'nothing paid out that is owed',
    prevents: 'the same, where the debt came later',
    scene: 'losses at once',
    edits: [
      edit(
        'src/ledger/wallets/withdrawals.ts',
        "  if (decision === 'paid') await refuseWhileOwing(tx, before.merchant_id);\n",
      ),
    ],
  },
  {
    name: 'debts asked under the lock',
    prevents: 'the same, at the very moment',
    scene: 'losses at once',
    edits: [edit('src/ledger/wallets/withdrawals.ts', '  await lockAvailable(tx, merchant_id);\n')],
  },

  // ------------------------------------------------------------------ the catalog
  {
    name: 'stock taken where it covers',
    prevents: 'more sold than there is',
    behind: 'the lock on the product and the check of its stock',
    scene: 'the last ones',
    edits: [stockCovers],
  },
  {
    name: 'product locked',
    prevents: 'two buyers of the last one',
    behind: 'the stock that is taken only where it covers',
    scene: 'the last ones',
    edits: [productLock],
  },
  {
    name: 'product locked and covered',
    prevents: 'the same, without either, and without the check in the database',
    scene: 'the last ones',
    edits: [productLock, stockCovers, stockCheck],
  },
  {
    name: 'stock given back',
    prevents: 'stock that is lost with an order that was given up',
    edits: [
      edit(
        'src/catalog/orders/payable-order.ts',
        "after.state === 'cancelled' ? addStock(order.merchant_id, [order]) : []",
        '[] as Write[]',
      ),
    ],
  },
  {
    name: 'stock given back by the sweep',
    prevents: 'the same, where many are swept at once',
    edits: [edit('src/catalog/orders/expire-order.ts', '      ...addStock(merchant_id, orders),\n')],
  },
  {
    name: 'stock taken again',
    prevents: 'a late payment of what another has bought meanwhile',
    scene: 'paid after a refusal',
    edits: [
      edit(
        'src/catalog/orders/payable-order.ts',
        "order.state === 'cancelled' ? [takeStock(order.merchant_id, order)] : []",
        '[]',
      ),
    ],
  },
  {
    name: 'late payment of what is gone',
    prevents: 'a late payment that can neither be fulfilled nor told to anybody',
    scene: 'paid after a refusal',
    edits: [
      edit(
        'src/payments/settling/settle.ts',
        "order.phase === 'expired' && !(await kind.fulfillable(tx, order))",
        'false',
      ),
    ],
  },
  {
    name: 'codes handed out under a lock',
    prevents: 'one code for two orders',
    scene: 'the last ones',
    edits: [
      edit('src/catalog/fulfilment/hand-out-codes.ts', '    await lockStock(tx, merchant_id, order.gd_no);\n'),
    ],
  },
  {
    name: 'free codes only',
    prevents: 'the same, without what a write is guarded by and the guard in the database',
    scene: 'the last ones',
    edits: [
      edit('src/catalog/fulfilment/hand-out-codes.ts', '    await lockStock(tx, merchant_id, order.gd_no);\n'),
      codeFree,
      codeGuard,
    ],
  },
  {
    name: 'codes for paid orders only',
    prevents: 'codes for an order that was refunded or has its codes',
    scene: 'the last ones',
    edits: [
      edit(
        'src/catalog/fulfilment/hand-out-codes.ts',
        "if (order?.state !== 'paid' || order.fulfil_at === null) return false;",
        'if (order === null) return false;',
      ),
    ],
  },
  {
    name: 'delivered once',
    prevents: 'the delivery of what was refunded or delivered',
    scene: 'the last ones',
    edits: [
      edit(
        'src/catalog/fulfilment/fulfil-order.ts',
        "if (before.state !== 'paid') {",
        "if (before.state === 'pending') {",
      ),
    ],
  },
];
