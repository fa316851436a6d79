import { sql } from '../../src/base/pg/index.ts';
import { AppError } from '../../src/base/errors.ts';
import type { CaseAction } from '@paydesk/contract';
import { selectOpenDisputes } from '../../src/payments/disputes/index.ts';
import { type ComplaintDecision, decideComplaint } from '../../src/payments/complaints/decide-complaint.ts';
import { openComplaint } from '../../src/payments/complaints/open-complaint.ts';
import { pursueCase } from '../../src/payments/case-money/pursue-case.ts';
import { isPartOfOrder } from '../../src/payments/cases/index.ts';
import { followEarlierLosses, followRefunds } from '../../src/payments/following/index.ts';
import { pursueRefund } from '../../src/payments/refunds/pursue-refund.ts';
import { requestRefund } from '../../src/payments/refunds/request-refund.ts';
import { askBeforeResolving } from '../../src/payments/decisions/ask-before-resolving.ts';
import { resolveCase } from '../../src/payments/decisions/resolve-case.ts';
import { actor, type Begun, type KnownOrder, type Move, onOrder, type Story } from './story.ts';
import type { Deps } from './world.ts';

export const refunded =
  (_: Story, { merchant_id, order_no }: KnownOrder) =>
  async ({ payments }: Deps): Promise<void> => {
    const refund = await payments.db.transaction((tx) => requestRefund(payments, tx, merchant_id, order_no));
    await pursueRefund(payments, refund);
  };

export const complained =
  (_: Story, { merchant_id, order_no }: KnownOrder) =>
  ({ payments }: Deps) =>
    payments.db.transaction((tx) => openComplaint(payments, tx, merchant_id, order_no, 'never arrived'));

function beginDecision(story: Story): Begun {
  const { random } = story.world;
  const decision = random.pick(['dismiss', 'confirm'] as const);
  // Of USD 10.00 and the like, or of all that was paid.
  const loss_amount = decision === 'confirm' && random.between(0, 2) === 0 ? '1' : undefined;
  return actor(decided({ decision, loss_amount }, random.between(0, 3) === 0));
}

/** Decides the first open complaint, or one that has been decided already where there is one. */
export const decided =
  (decision: ComplaintDecision, again = false) =>
  async ({ payments }: Deps): Promise<void> => {
    const [one] = await payments.db.query<{ complaint_id: string }>(
      sql`SELECT complaint_id FROM payment_complaints WHERE status = 'open' OR ${again}
        ORDER BY (status = 'open') = ${again}, complaint_id LIMIT 1`,
    );
    if (one === undefined) return;
    await payments.db.transaction((tx) =>
      decideComplaint(payments, tx, one.complaint_id, decision, selectOpenDisputes),
    );
  };

const caseActions: readonly [CaseAction, ...CaseAction[]] = [
  'accept',
  'adopt',
  'refund',
  'void',
  'absent',
  'close',
  'repay',
];

/** Resolves a case as the administration does: it prepares the decision first, and pursues the refund afterwards. */
async function resolve({ payments }: Deps, case_id: string, action: CaseAction): Promise<void> {
  await askBeforeResolving(payments, case_id, action);
  const { after } = await payments.db.transaction((tx) =>
    resolveCase(payments, tx, case_id, { action, reason: 'so it was decided' }),
  );
  const pursued = await pursueCase(payments, after);
  const { payment_no, provider_payment_id } = after;
  if (payment_no === null || provider_payment_id === null) return;
  if (action === 'accept' || action === 'adopt')
    await followEarlierLosses(payments, payment_no, provider_payment_id);
  else if (pursued.state === 'resolved' && isPartOfOrder(pursued))
    await followRefunds(payments, payment_no, provider_payment_id);
}

const openCases = ({ payments }: Deps): Promise<{ case_id: string }[]> =>
  payments.db.query(sql`SELECT case_id FROM payment_cases WHERE state = 'open' ORDER BY case_id`);

function beginResolution(story: Story): Begun {
  return actor(resolution(story.world.random.pick(caseActions)));
}

/** Resolves the first open case. */
export const resolution =
  (action: CaseAction) =>
  async (deps: Deps): Promise<void> => {
    const [first] = await openCases(deps);
    if (first !== undefined) await resolve(deps, first.case_id, action);
  };

/** The operator decides all remaining items in any possible way. */
export async function resolveAll(deps: Deps): Promise<void> {
  for (const { case_id } of await openCases(deps)) {
    for (const action of caseActions) {
      await resolve(deps, case_id, action).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    }
  }
}

const refusals = ['payment_conflict'];

export const lossMoves: readonly Move[] = [
  { name: 'refund', weight: 2, refusals, begin: onOrder(refunded) },
  { name: 'complaint', weight: 2, refusals, begin: onOrder(complained) },
  {
    name: 'decide a complaint',
    weight: 2,
    refusals: [...refusals, 'invalid_request'],
    begin: beginDecision,
  },
  { name: 'resolve a case', weight: 2, refusals, begin: beginResolution },
];
