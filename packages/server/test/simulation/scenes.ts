import { sql } from '../../src/base/pg/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { sweepCatalog } from '../../src/catalog/orders/expire-order.ts';
import { handOutDueCodes } from '../../src/catalog/fulfilment/hand-out-codes.ts';
import { sweepOverdue } from '../../src/collection/orders/expire-order.ts';
import { postOnce } from '../../src/ledger/books/post-once.ts';
import { topUp } from '../../src/ledger/wallets/top-up.ts';
import { creditRepayment } from '../../src/ledger/wallets/wallet-operations.ts';
import { followDueDisputes } from '../../src/payments/following/follow-dispute.ts';
import { updateMerchant } from '../../src/merchants/save-merchant.ts';
import { selectQuotes } from '../../src/payments/quotes/quote.sql.ts';
import { totalOf } from '../../src/payments/quotes/quote.ts';
import { pursueDueCases } from '../../src/payments/case-money/pursue-case.ts';
import { checkDueAttempts } from '../../src/payments/card/check-due-attempts.ts';
import { releaseDueHolds } from '../../src/payments/holds/release-holds.ts';
import { complained, decided, refunded, resolution } from './loss-moves.ts';
import {
  catalogOrder,
  codesTakenIn,
  codesWithdrawn,
  collectionOrder,
  delivered,
  startOf,
  startRefusals,
  type Wanted,
} from './order-moves.ts';
import {
  allPay,
  arm,
  type Fault,
  itemsOf,
  lag,
  latestTwins,
  refundFails,
  refundsPart,
  sessionPaid,
  sim,
  tellNews,
  webhook,
  wrong,
} from './provider-moves.ts';
import { anyOf, type KnownOrder, reference, type Story, type Work } from './story.ts';
import type { Product } from './products.ts';
import { topUpOrder } from './top-up-moves.ts';
import { withdrawal, withdrawalDecided } from './wallet-moves.ts';
import type { Deps, Shop } from './world.ts';

/** The moves that begin concurrently after a scene is set, and their expected errors. */
export interface Opening {
  name: string;
  work: Work;
  refusals: readonly string[];
}

/**
 * The start of a seed: chance alone seldom reaches a state in which only one guard protects. Each scene reaches such a
 * state step by step. Its last moves are begun concurrently, together with random ones.
 */
type Scene = (stage: Stage) => Promise<readonly Opening[]>;

interface Stage {
  story: Story;
  deps: Deps;
  /** How often the scene had its turn before. */
  turn: number;
}

/** Rare states come one after the other: by chance, hundreds of seeds may lack one. */
const inTurn = <T>({ turn }: Stage, [first, ...others]: readonly [T, ...T[]]): T =>
  [first, ...others][turn % (others.length + 1)] ?? first;

/** The name of the scene that a seed begins with: they take turns. */
export const sceneOf = (seed: number): string => namedScene(seed).name;

const namedScene = (seed: number): NamedScene => scenes[seed % scenes.length] ?? scenes[0];

/** Sets the scene of a seed, without the steps that are impossible in its world. */
export async function setScene(story: Story, deps: Deps, seed: number): Promise<readonly Opening[]> {
  const { set } = namedScene(seed);
  const turn = Math.floor(seed / (usual.length + 1));
  return (await unlessRefused(set({ story, deps, turn }))) ?? [];
}

/** Null where it is refused. */
async function unlessRefused<T>(doing: Promise<T>): Promise<T | null> {
  try {
    return await doing;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const coin = ({ story }: Stage): boolean => story.world.random.between(0, 1) === 0;

/** Ten dollars, which any fee leaves something of. */
const plain = { code: 'USD', minor: 1_000n, expires_in: 600 } as const;

const ordered = ({ story, deps }: Stage, wanted: Partial<Wanted>): Promise<KnownOrder> =>
  collectionOrder(story, { ...plain, ...wanted })(deps);

/** Through the platform's account or the merchant's own. */
function byCard({ story }: Stage): Pick<Wanted, 'merchant_id' | 'payment_no'> {
  const { random, shops } = story.world;
  const [{ merchant_id }, payment_no] = random.pick([
    [random.pick(shops), 'ch_card'],
    [random.pick(shops), 'ch_card'],
    ...ownChannels(story),
  ]);
  return { merchant_id, payment_no };
}

const ownChannels = ({ world: { shops } }: Story): [[Shop, string], ...[Shop, string][]] => [
  [shops[0], 'ch_own_0'],
  [shops[1] ?? shops[0], 'ch_own_1'],
];

function starting({ story }: Stage, order: KnownOrder): Opening {
  const [method] = order.methods;
  if (method === undefined) throw new AppError('channel_unavailable');
  return { name: 'start by card', work: startOf(story, order, method), refusals: startRefusals };
}

const started = (stage: Stage, order: KnownOrder): Promise<unknown> =>
  unlessRefused(starting(stage, order).work(stage.deps));

/** The buyer of the latest payment page pays. */
async function lastPays({ story }: Stage, instead: object = {}): Promise<void> {
  const open = (await itemsOf<{ id: string; status: string }>(story, '/sessions')).filter(
    ({ status }) => status === 'open',
  );
  const id = open.at(-1)?.id;
  if (id !== undefined) await sim(story, 'POST', `/sessions/${id}/pay`, { webhook: 'none', ...instead });
}

const told = ({ story, deps }: Stage): Promise<void> => tellNews(story, deps);

/** A card order that is paid, and known to be. */
async function paid(stage: Stage, wanted: Partial<Wanted>): Promise<KnownOrder> {
  const order = await ordered(stage, wanted);
  await started(stage, order);
  await lastPays(stage);
  await told(stage);
  return order;
}

const conflict = ['payment_conflict'];
const opening = (name: string, work: Work, refusals: readonly string[] = []): Opening => ({
  name,
  work,
  refusals,
});
const refund = ({ story }: Stage, order: KnownOrder): Opening =>
  opening('refund', refunded(story, order), conflict);
const complaint = ({ story }: Stage, order: KnownOrder): Opening =>
  opening('complaint', complained(story, order), conflict);
const decision = (how: 'dismiss' | 'confirm', loss_amount?: string): Opening =>
  opening('decide a complaint', decided({ decision: how, loss_amount }), [...conflict, 'invalid_request']);
const deciding = (action: Parameters<typeof resolution>[0]): Opening =>
  opening('resolve a case', resolution(action), conflict);
const news = ({ story }: Stage): Opening => opening('webhook', (deps) => webhook(story, deps));
const reconciling = opening('reconcile', ({ payments }) => checkDueAttempts(payments));
const sweeping = opening('sweep', ({ orders }) => sweepOverdue(orders));
const releasing = opening('release holds', ({ payments }) => releaseDueHolds(payments));
const following = opening('follow disputes', ({ payments }) => followDueDisputes(payments));
const pursuing = opening('pursue cases', ({ payments }) => pursueDueCases(payments));
const owing = ['insufficient_balance', 'recovery_outstanding'];
const sendingBack = opening('decide a withdrawal', withdrawalDecided('reject'), [...conflict, ...owing]);
const payingOut = opening('decide a withdrawal', withdrawalDecided('paid'), [...conflict, ...owing]);

/** Two or three of the possible moves, in any order. */
function some({ story }: Stage, all: readonly Opening[]): Opening[] {
  const { random } = story.world;
  const left = [...all];
  const chosen: Opening[] = [];
  for (let most = random.between(2, 3); most > 0 && left.length > 0; most--) {
    chosen.push(...left.splice(random.between(0, left.length - 1), 1));
  }
  return chosen;
}

const refundLost: readonly Fault[] = [{ endpoint: 'refunds.create', mode: 'reset_after' }];
const refundFaults: readonly [Fault[], ...Fault[][]] = [
  [],
  [...refundLost],
  [{ endpoint: 'refunds.create', mode: 'status', status: 500 }],
  [{ endpoint: 'refunds.create', mode: 'pending' }],
];
const refusedOnce: readonly Fault[] = [{ endpoint: 'sessions.create', mode: 'status', status: 400 }];
const answerLost: readonly Fault[] = [{ endpoint: 'sessions.create', mode: 'reset_after' }];

/** Some orders, most of them paid, so that there is something to lose from the start. */
async function someOrders(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random } = story.world;
  for (const work of [collectionOrder(story), collectionOrder(story), catalogOrder(story)]) {
    const order = await unlessRefused(work(deps));
    const method = order === null ? null : anyOf(story, order.methods);
    if (order !== null && method !== null) await unlessRefused(startOf(story, order, method)(deps));
  }
  if (random.between(0, 3) > 0) await allPay(story, deps);
  return [];
}

/**
 * The provider refuses a first session but creates it. The order is paid by another, or expires and its stock goes to
 * another buyer. Then the first session is paid as well.
 */
async function paidAfterRefusal(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock, products } = story.world;
  const product = random.pick(products);
  const isCatalog = random.between(0, 2) === 0;
  const order = isCatalog
    ? await catalogOrder(story, { product, payment_no: 'ch_card' })(deps)
    : await ordered(stage, byCard(stage));
  await arm(story, refusedOnce);
  await started(stage, order);
  const [twin] = await latestTwins(story);
  const twinPays = async (): Promise<void> => {
    if (twin !== undefined) await sessionPaid(story, twin);
    if (coin(stage)) await told(stage);
  };
  switch (
    random.pick([
      'paid before',
      'paid after',
      'paid after',
      isCatalog ? 'sold to another' : 'given up',
      'given up',
      'not yet',
    ])
  ) {
    case 'paid before':
      await started(stage, order);
      await lastPays(stage);
      if (coin(stage)) await told(stage);
      await twinPays();
      break;
    case 'paid after':
      await started(stage, order);
      await twinPays();
      await lastPays(stage);
      break;
    case 'given up':
      clock.advance(7_201);
      await sweepOverdue(deps.orders);
      await sweepCatalog(deps.catalog);
      await twinPays();
      break;
    case 'sold to another':
      clock.advance(7_201);
      await sweepCatalog(deps.catalog);
      await unlessRefused(catalogOrder(story, { product, quantity: 3 })(deps));
      await twinPays();
      await twinPays();
      break;
    default:
      await twinPays();
  }
  return [news(stage), news(stage)];
}

/** The answer that names a new session is lost: it is asked for again, refused then, or looked for too early. */
async function creationLost(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock } = story.world;
  const order = await ordered(stage, { ...byCard(stage), expires_in: 60 });
  await arm(story, answerLost);
  await started(stage, order);
  const again = starting(stage, order);
  switch (random.pick(['refused', 'repeated', 'looked for', 'looked for'])) {
    case 'refused':
      await arm(story, refusedOnce);
      clock.advance(13);
      return [again, reconciling];
    case 'repeated':
      clock.advance(13);
      return [again, again, reconciling];
    default:
      clock.advance(61);
      lag(story.world);
      if (coin(stage)) await checkDueAttempts(deps.payments);
      return [reconciling, sweeping];
  }
}

/** A payment differs from the request, and two people decide about it. */
async function somethingElsePaid(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock } = story.world;
  // The platform holds what is left of a receipt that paid its order.
  const isLeft = inTurn(stage, [true, false]);
  const by = byCard(stage);
  const order = await ordered(stage, isLeft ? { ...by, payment_no: 'ch_card' } : by);
  await started(stage, order);
  // Too much by less than half: of the rest there would be enough to give it back twice.
  const more = { amount_total: 1_500 };
  await lastPays(stage, isLeft ? more : random.pick([more, more, ...wrong]));
  await told(stage);
  // Where more was paid than asked for, the rest goes back.
  const isAccepted = isLeft || coin(stage);
  if (isAccepted) await unlessRefused(resolution('accept')(deps));
  if (isAccepted && !isLeft && coin(stage)) {
    // The money is returned, and a refund is requested before the service learns of it.
    await arm(story, refundLost);
    await unlessRefused(resolution('refund')(deps));
    clock.advance(61);
    return [pursuing, pursuing, deciding('refund')];
  }
  const faults = random.pick(refundFaults);
  await arm(story, faults);
  const isSlow = faults.some(({ mode }) => mode === 'pending' || mode === 'status');
  if (!isAccepted && isSlow) {
    // All of it is being returned, and the progress is unknown.
    await unlessRefused(resolution('refund')(deps));
    return [deciding('accept'), deciding('accept'), pursuing];
  }
  const others = [deciding('accept'), deciding('refund'), pursuing];
  return isLeft
    ? [deciding('close'), deciding('refund'), ...some(stage, others)]
    : some(stage, [deciding('refund'), deciding('close'), ...others]);
}

/** A second session of an attempt is paid before its own. */
async function anotherPaidFirst(stage: Stage): Promise<readonly Opening[]> {
  const { story } = stage;
  const order = await ordered(stage, byCard(stage));
  await started(stage, order);
  const [twin] = await latestTwins(story);
  if (twin !== undefined) await sessionPaid(story, twin);
  await told(stage);
  if (coin(stage)) await lastPays(stage);
  if (coin(stage)) await told(stage);
  return some(stage, [deciding('accept'), deciding('refund'), deciding('accept'), news(stage), reconciling]);
}

/** Withdraws all money from a merchant's wallet, except the given amount. The withdrawal may stay pending. */
async function emptied(stage: Stage, shop: Shop, left_ptk: bigint): Promise<void> {
  const { story, deps } = stage;
  const { merchant_id } = shop;
  const [row] = await story.world.db.query<{ balance: bigint }>(
    sql`SELECT balance FROM ledger_balances WHERE merchant_id = ${merchant_id} AND account = 'm:available'`,
  );
  const surplus = (row?.balance ?? 0n) - left_ptk;
  if (surplus > 0n) await unlessRefused(withdrawal(story, shop, surplus)(deps));
  if (surplus > 0n && coin(stage)) await unlessRefused(withdrawalDecided('paid')(deps));
  if (surplus < 0n) await toppingUp(stage, shop, -surplus).work(deps);
}

function toppingUp({ story }: Stage, { merchant_id }: Shop, amount_ptk = 20_000_000n): Opening {
  const operation = { to: { merchant_id }, amount_ptk, reference: reference(story), paid: null };
  return opening('top up', async ({ payments: { db, clock } }) => {
    await db.transaction((tx) => topUp(tx, operation, clock.now()));
  });
}

/**
 * Fees of a merchant with an almost empty wallet: taken concurrently, or on credit that is repaid before the fees are
 * released.
 */
async function feesOnCredit(stage: Stage): Promise<readonly Opening[]> {
  const { story } = stage;
  const { random, clock, db } = story.world;
  const [shop, payment_no] = random.pick(ownChannels(story));
  const { merchant_id } = shop;
  const [first, second, third] = [
    await ordered(stage, { merchant_id, payment_no }),
    await ordered(stage, { merchant_id, payment_no }),
    await ordered(stage, { merchant_id, payment_no }),
  ];
  const [quote] = await selectQuotes(db, merchant_id, first.order_no);
  const fee_ptk = quote?.merchant_fee_ptk ?? 0n;
  const isAtOnce = inTurn(stage, [true, false]);
  await emptied(stage, shop, isAtOnce ? (fee_ptk * 3n) / 2n : fee_ptk / 2n);
  const [one, other, last] = [starting(stage, first), starting(stage, second), starting(stage, third)];
  if (isAtOnce) return [one, other, last];
  const withCredit = { credit_limit_ptk: 100_000_000n };
  await db.transaction((tx) => updateMerchant(tx, merchant_id, withCredit));
  await started(stage, first);
  const [drawn] = await db.query<{ balance: bigint }>(
    sql`SELECT balance FROM ledger_balances WHERE merchant_id = ${merchant_id} AND account = 'm:credit_drawn'`,
  );
  if (drawn !== undefined && drawn.balance > 0n) {
    const operation = { merchant_id, amount_ptk: drawn.balance, reference: reference(story) };
    await db.transaction(async (tx) => {
      await topUp(tx, { to: { merchant_id }, ...operation, paid: null }, clock.now());
      await postOnce(tx, creditRepayment(operation), clock.now());
    });
  }
  if (random.between(0, 3) === 0) await lastPays(stage);
  clock.advance(1_900);
  return coin(stage) ? [other, reconciling, sweeping] : [reconciling, sweeping];
}

/** Every buyer has PTK enough for all that a scene sells. */
async function funded({ story }: Stage): Promise<void> {
  const { buyers, db, clock } = story.world;
  for (const user_id of buyers) {
    const amount = { amount_ptk: 100_000_000_000n, reference: reference(story), paid: null };
    await db.transaction((tx) => topUp(tx, { to: { user_id }, ...amount }, clock.now()));
  }
}

/** Losses of a merchant that already has its money, cannot cover both, and begins a withdrawal. */
async function lossesAtOnce(stage: Stage): Promise<readonly Opening[]> {
  const { story } = stage;
  const [shop] = story.world.shops;
  await funded(stage);
  const wanted = { merchant_id: shop.merchant_id, payment_no: 'ch_ptk' };
  const [one, other] = [await ordered(stage, wanted), await ordered(stage, wanted)];
  for (const order of [one, other]) await started(stage, order);
  const wish = (): Opening => opening('ask for a withdrawal', withdrawal(story, shop, 5_000_000n), owing);
  const [asking, askingMore] = [wish(), wish()];
  switch (inTurn(stage, ['both', 'asked', 'decided', 'owed'])) {
    case 'both':
      await emptied(stage, shop, 12_000_000_000n);
      return [refund(stage, one), refund(stage, other), coin(stage) ? payingOut : asking];
    case 'decided':
      await emptied(stage, shop, 5_000_000n);
      await unlessRefused(asking.work(stage.deps));
      return [payingOut, sendingBack, refund(stage, one)];
    case 'asked':
      await emptied(stage, shop, 5_000_000n);
      // Of many questions, one may be answered just while a loss makes a debt, and new money comes.
      return [asking, askingMore, wish(), wish(), wish(), refund(stage, other), toppingUp(stage, shop)];
    default:
      await emptied(stage, shop, 5_000_000n);
      await unlessRefused(asking.work(stage.deps));
      if (coin(stage)) await unlessRefused(refund(stage, one).work(stage.deps));
      await emptied(stage, shop, 10_000_000n);
      return [askingMore, payingOut, refund(stage, other)];
  }
}

/** Holds end while complaints and refunds begin. */
async function holdIsOver(stage: Stage): Promise<readonly Opening[]> {
  const { clock, shops } = stage.story.world;
  const { merchant_id } = shops[1] ?? shops[0];
  const wanted = { merchant_id, payment_no: 'ch_card' };
  const [one, other] = [await paid(stage, wanted), await paid(stage, wanted)];
  clock.advance(90_000);
  return [
    releasing,
    complaint(stage, one),
    complaint(stage, other),
    ...some(stage, [releasing, refund(stage, one), refund(stage, other)]),
  ];
}

/** A buyer goes to the bank, which takes its time unless `terms` say that it decides. */
async function disputed(stage: Stage, terms: object = {}): Promise<void> {
  await atTheBank(stage, terms);
  await told(stage);
}

/** What the bank does about the latest session: it may also be refused, by a payment that is disputed as a whole. */
async function atTheBank({ story }: Stage, terms: object): Promise<void> {
  const [session] = await itemsOf<{ id: string }>(story, '/sessions');
  if (session !== undefined) await sim(story, 'POST', `/sessions/${session.id}/dispute`, terms);
}

/** A complaint and a refund of one payment, part of which may be lost already. */
async function complainedAndRefunded(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const order = await paid(stage, byCard(stage));
  await unlessRefused(complained(story, order)(deps));
  if (story.world.random.between(0, 3) === 0) {
    // People have booked all of it as lost when the buyer's bank wants it back as well.
    await unlessRefused(decision('confirm').work(deps));
    await disputed(stage);
    return some(stage, [refund(stage, order), complaint(stage, order), news(stage), following]);
  }
  if (story.world.random.between(0, 2) === 0) await disputed(stage);
  if (coin(stage)) await unlessRefused(decision('confirm', '1').work(deps));
  await arm(story, story.world.random.pick(refundFaults));
  if (coin(stage)) await unlessRefused(refunded(story, order)(deps));
  if (coin(stage)) await unlessRefused(complained(story, order)(deps));
  const lost = bankDecides(stage, { outcome: 'lost' });
  return some(stage, [
    refund(stage, order),
    refund(stage, order),
    decision('dismiss'),
    decision('confirm'),
    decision('confirm', '1'),
    lost,
  ]);
}

const bankDecides = (stage: Stage, terms: object): Opening =>
  opening('the bank decides', async (acting) => {
    await atTheBank(stage, terms);
    await tellNews(stage.story, acting);
  });

const ends: readonly [object, ...object[]] = [{ outcome: 'won' }, { outcome: 'lost' }];

/**
 * Several disputes about one payment, each about a part: one opens, opens again or ends while another does. A person
 * decides about a complaint meanwhile, or refunds the order.
 */
async function paymentDisputed(stage: Stage): Promise<readonly Opening[]> {
  const { random } = stage.story.world;
  const order = await paid(stage, byCard(stage));
  if (random.between(0, 3) === 0) await unlessRefused(complained(stage.story, order)(stage.deps));
  await disputed(stage, { amount: random.pick([1, 300, 600]) });
  if (coin(stage)) await disputed(stage, { another: true, amount: random.pick([1, 300]) });
  if (coin(stage)) await disputed(stage, random.pick(ends));
  return [
    bankDecides(stage, random.pick<object>([{ another: true }, { reopen: true }])),
    bankDecides(
      stage,
      random.pick<object>([...ends, { ...random.pick(ends), another: true }, { reopen: true }]),
    ),
    ...some(stage, [
      news(stage),
      news(stage),
      following,
      bankDecides(stage, random.pick(ends)),
      refund(stage, order),
      complaint(stage, order),
      decision('dismiss'),
      decision('confirm', '1'),
    ]),
  ];
}

/** An order of a shop, of the catalog or of a top-up, for a card. */
function orderOfAnyKind(stage: Stage, ofShop: () => Partial<Wanted>): Promise<KnownOrder> {
  const { story, deps } = stage;
  const { random, products } = story.world;
  const product = random.pick(products);
  return random.pick([
    () => ordered(stage, ofShop()),
    () => catalogOrder(story, { product, quantity: 1, payment_no: 'ch_card' })(deps),
    () => topUpOrder(story, { amount: ['USD', '10.00'] })(deps),
  ])();
}

/**
 * A receipt of more than its order costs is accepted, or adopted. Banks take back parts of it, while a person decides about
 * the rest, or refunds the order.
 */
async function restDisputed(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock } = story.world;
  const seldom = (): boolean => random.between(0, 3) === 0;
  const order = await orderOfAnyKind(stage, () => ({ ...byCard(stage), payment_no: 'ch_card' }));
  const isLost = seldom();
  if (isLost) {
    await receiptOfLostAttempt(stage, order, { extra: random.pick([500n, 900n, 1_600n]) });
    clock.advance(90_000);
    await pursueDueCases(deps.payments);
  } else {
    await started(stage, order);
    await lastPays(stage, { amount_total: random.pick([1_500, 1_900, 2_600]) });
    await told(stage);
  }
  if (seldom()) await disputed(stage, { amount: random.pick([1, 400, 1_100]) });
  await unlessRefused(resolution(isLost ? 'adopt' : 'accept')(deps));
  await arm(story, random.pick(refundFaults));
  if (coin(stage)) await unlessRefused(resolution(random.pick(['refund', 'repay', 'close']))(deps));
  if (coin(stage)) await disputed(stage, { amount: random.pick([1, 300, 500, 1_000, 1_200]) });
  if (coin(stage)) await disputed(stage, { another: true, amount: random.pick([1, 300, 500, 900]) });
  if (seldom()) await disputed(stage, random.pick(ends));
  if (seldom()) clock.advance(61);
  if (seldom()) await unlessRefused(refunded(story, order)(deps));
  const another = { ...random.pick(ends), another: true, amount: random.pick([200, 700]) };
  return [
    bankDecides(stage, random.pick<object>([...ends, { another: true }, { reopen: true }])),
    bankDecides(stage, random.pick<object>([...ends, another])),
    ...some(stage, [
      ...[news(stage), following, pursuing, bankDecides(stage, random.pick(ends))],
      ...[refund(stage, order), complaint(stage, order), decision('dismiss'), decision('confirm', '1')],
      ...[deciding('refund'), deciding('repay'), deciding('close')],
    ]),
  ];
}

/**
 * The provider's dashboard refunds parts of a payment, one of which may fail after it has succeeded. Banks take back other
 * parts, and people decide about what is left.
 */
async function refundedInParts(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock } = story.world;
  const seldom = (): boolean => random.between(0, 3) === 0;
  const order = await orderOfAnyKind(stage, () => byCard(stage));
  await started(stage, order);
  const isMore = coin(stage);
  await lastPays(stage, isMore ? { amount_total: random.pick([1_500, 1_900, 2_600]) } : {});
  await told(stage);
  if (isMore && coin(stage)) await unlessRefused(resolution('accept')(deps));
  const parts = [1, 300, 500, 1_000] as const;
  await refundsPart(story, random.pick(parts));
  if (coin(stage)) await told(stage);
  if (coin(stage)) await refundsPart(story, random.pick<number | null>([...parts, null]));
  if (seldom()) await disputed(stage, { amount: random.pick(parts) });
  if (seldom()) await unlessRefused(decision('confirm', '3').work(deps));
  if (seldom()) await refundFails(story);
  if (seldom()) await told(stage);
  if (seldom()) clock.advance(61);
  await arm(story, random.pick(refundFaults));
  return some(stage, [
    opening('the dashboard refunds a part', () =>
      refundsPart(story, random.pick<number | null>([...parts, null])),
    ),
    opening('a refund fails', () => refundFails(story)),
    bankDecides(stage, random.pick<object>([...ends, { amount: random.pick(parts) }])),
    ...[news(stage), news(stage), following, pursuing, refund(stage, order), complaint(stage, order)],
    ...[decision('dismiss'), decision('confirm', '3'), decision('confirm')],
    ...[deciding('refund'), deciding('repay'), deciding('close'), deciding('accept')],
  ]);
}

/** Several disputes about one payment, or about a receipt of which a case holds the rest; or refunds of parts. */
const disputedTwice: Scene = (stage) =>
  inTurn(stage, [paymentDisputed, restDisputed, refundedInParts])(stage);

/** A receipt of an attempt that the books have lost: its session names an order, and not always what that costs. */
async function receiptOfLostAttempt(
  { story, deps }: Stage,
  { merchant_id, order_no }: KnownOrder,
  { extra = 0n, isEuro = false }: { extra?: bigint; isEuro?: boolean },
): Promise<void> {
  const { clock, db } = story.world;
  const [quote] = await selectQuotes(db, merchant_id, order_no);
  if (quote === undefined) return;
  const attempt_id = `pa_${deps.payments.ids.ulid(clock.now())}`;
  const lost = { attempt_id, order_no, merchant_id, payment_no: 'ch_card' };
  const currency = isEuro ? 'EUR' : quote.currency;
  await sessionPaid(story, { ...lost, amount: totalOf(quote) + extra, currency });
  await tellNews(story, deps);
}

/** What a person may do about such a receipt after a day, where the order may be paid otherwise meanwhile. */
async function attemptLost(
  stage: Stage,
  { extra = 0n, isEuro = false, isPaid = false }: { extra?: bigint; isEuro?: boolean; isPaid?: boolean },
): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock, shops } = story.world;
  const { merchant_id } = random.pick(shops);
  const order = await ordered(stage, { merchant_id, payment_no: 'ch_card' });
  await receiptOfLostAttempt(stage, order, { extra, isEuro });
  if (isPaid) {
    await started(stage, order);
    await lastPays(stage);
    await told(stage);
  }
  clock.advance(90_000);
  await pursueDueCases(deps.payments);
  // More than the order costs: only its amount stands against it, so nothing else decides before.
  if (extra > 0n) return [deciding('adopt'), news(stage)];
  return [
    deciding('adopt'),
    deciding('refund'),
    deciding('close'),
    ...some(stage, [deciding('adopt'), sweeping, news(stage)]),
  ];
}

/** A receipt without a request arrives. */
async function nobodysMoney(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, clock } = story.world;
  const lost = inTurn(stage, [null, { extra: 100n }, {}, { isEuro: true }, { isPaid: true }]);
  if (lost !== null) return attemptLost(stage, lost);
  const nobodys = { attempt_id: 'somebody', order_no: 'none', merchant_id: 'none', payment_no: 'ch_card' };
  await sessionPaid(story, { ...nobodys, amount: 1_000n, currency: random.pick(['USD', 'EUR']) });
  await told(stage);
  if (random.between(0, 3) > 0) clock.advance(90_000);
  await pursueDueCases(deps.payments);
  await arm(story, random.pick(refundFaults));
  return [
    deciding('refund'),
    deciding('refund'),
    deciding('close'),
    ...(coin(stage) ? [pursuing] : [news(stage)]),
  ];
}

/** Several buyers of the last items, and concurrent deliveries or withdrawals of codes. */
async function theLastOnes(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, products } = story.world;
  const what = inTurn(stage, ['codes', 'bought', 'codes', 'delivered']);
  const withCodes = products.filter(({ delivery }) => delivery === 'code');
  const product = anyOf(story, what === 'codes' ? withCodes : products) ?? random.pick(products);
  if (what === 'bought') {
    await funded(stage);
    return [boughtAtOnce(stage, product), boughtAtOnce(stage, product), sweepingCatalog];
  }
  if (product.delivery === 'code') return codesWanted(stage, product);
  const order = await catalogOrder(story, { product, quantity: 1, payment_no: 'ch_card' })(deps);
  await started(stage, order);
  await lastPays(stage);
  await told(stage);
  const delivering = opening('deliver', delivered(order), conflict);
  return some(stage, [delivering, delivering, refund(stage, order), refund(stage, order), news(stage)]);
}

const handingOut = opening('hand out codes', ({ catalog }) => handOutDueCodes(catalog));
const sweepingCatalog = opening('sweep the catalog', ({ catalog }) => sweepCatalog(catalog));

/** Two of three items are ordered and paid. */
function boughtAtOnce(stage: Stage, product: Product): Opening {
  const buying = catalogOrder(stage.story, { product, quantity: 2, payment_no: 'ch_ptk' });
  const work: Work = async (deps) => {
    const order = await buying(deps);
    await starting(stage, order).work(deps);
  };
  return opening('buy from the catalog', work, ['out_of_stock', ...startRefusals]);
}

/**
 * The first buyer pays last, while codes are assigned to the others. The worker that the payment wakes begins with that
 * order; another worker, which does not know of the payment, has it somewhere in its list.
 */
async function codesWanted(stage: Stage, product: Product): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  await funded(stage);
  for (let rounds = 2; rounds > 0; rounds--) await codesTakenIn(product, ++story.uploads)(deps);
  const ordering = catalogOrder(story, { product, quantity: 1, payment_no: 'ch_ptk' });
  const buying = (): Promise<KnownOrder> => ordering(deps);
  const last = [await buying(), await buying()];
  const others = [await buying(), await buying(), await buying(), await buying()] as const;
  for (const other of others) await started(stage, other);
  const paying = last.map((order) =>
    opening(
      'pay and hand out codes',
      async (acting) => {
        await starting(stage, order).work(acting);
        await handingOut.work(acting);
      },
      startRefusals,
    ),
  );
  const withdrawing = opening('withdraw codes', codesWithdrawn(product, 'all'));
  return [
    handingOut,
    ...paying,
    ...(coin(stage) ? [refund(stage, story.world.random.pick(others))] : []),
    ...(coin(stage) ? [opening('deliver', delivered(story.world.random.pick(others)), conflict)] : []),
    ...(coin(stage) ? [withdrawing] : []),
  ];
}

/**
 * Buyers who pay in PTK at the same moment. One order is paid twice, and one buyer may not be able to pay for all.
 */
async function paymentsAtOnce(stage: Stage): Promise<readonly Opening[]> {
  const { random, shops, clock } = stage.story.world;
  if (coin(stage)) await funded(stage);
  const openings: Opening[] = [];
  for (let orders = 0; orders < 4; orders++) {
    const { merchant_id } = random.pick(shops);
    const order = await ordered(stage, { merchant_id, payment_no: 'ch_ptk' });
    const paying = starting(stage, order);
    openings.push({
      ...paying,
      name: 'pay with PTK',
      refusals: [...paying.refusals, 'insufficient_balance'],
    });
  }
  const [first] = openings;
  // Some are near enough to the end of their time that only the lock decides.
  if (random.between(0, 5) === 0) clock.advance(545);
  return first === undefined ? openings : [first, ...openings];
}

/** PTK that were bought by card are spent, and the payments of the cards go back in the same moment. */
async function toppedUp(stage: Stage): Promise<readonly Opening[]> {
  const { story, deps } = stage;
  const { random, buyers, shops, db } = story.world;
  const user_id = random.pick(buyers);
  const bought = async (): Promise<KnownOrder> =>
    topUpOrder(story, { user_id, amount: ['USD', '10.00'] })(deps);
  const [one, other] = [await bought(), await bought()];
  await started(stage, one);
  await lastPays(stage);
  await told(stage);
  // The other is paid, and the service is still to hear of it, or not at all.
  await started(stage, other);
  if (coin(stage)) await lastPays(stage);
  const [wallet] = await db.query<{ available_ptk: bigint }>(
    sql`SELECT available_ptk FROM user_wallets WHERE user_id = ${user_id}`,
  );
  const { merchant_id } = random.pick(shops);
  const minor = ((wallet?.available_ptk ?? 0n) * 3n) / 4n;
  const goods = await ordered(stage, { merchant_id, code: 'PTK', minor, payment_no: 'ch_ptk' });
  const spending = { ...starting(stage, { ...goods, user_id }), name: 'pay with PTK' };
  if (random.between(0, 2) > 0) await unlessRefused(spending.work(deps));
  await unlessRefused(complained(story, one)(deps));
  if (coin(stage)) await unlessRefused(decision('confirm', '1').work(deps));
  if (random.between(0, 2) === 0) await disputed(stage);
  return [
    ...some(stage, [
      refund(stage, one),
      refund(stage, one),
      decision('confirm', '1'),
      decision('confirm'),
      refund(stage, other),
    ]),
    news(stage),
    { ...spending, refusals: [...spending.refusals, 'insufficient_balance'] },
  ];
}

const usual: readonly NamedScene[] = [
  { name: 'paid after a refusal', set: paidAfterRefusal },
  { name: 'a creation is lost', set: creationLost },
  { name: 'something else is paid', set: somethingElsePaid },
  { name: 'another session is paid first', set: anotherPaidFirst },
  { name: 'fees on credit', set: feesOnCredit },
  { name: 'losses at once', set: lossesAtOnce },
  { name: 'a creation is lost', set: creationLost },
  { name: 'payments at once', set: paymentsAtOnce },
  { name: 'a hold is over', set: holdIsOver },
  { name: 'complained and refunded', set: complainedAndRefunded },
  { name: 'paid after a refusal', set: paidAfterRefusal },
  { name: 'something else is paid', set: somethingElsePaid },
  { name: 'nobody’s money', set: nobodysMoney },
  { name: 'fees on credit', set: feesOnCredit },
  { name: 'disputed twice', set: disputedTwice },
  { name: 'the last ones', set: theLastOnes },
  { name: 'complained and refunded', set: complainedAndRefunded },
  { name: 'topped up', set: toppedUp },
];

const scenes: readonly [NamedScene, ...NamedScene[]] = [
  { name: 'some orders', set: someOrders },
  ...usual,
  { name: 'losses at once', set: lossesAtOnce },
  ...usual,
];

interface NamedScene {
  name: string;
  set: Scene;
}
