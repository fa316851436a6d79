/** A person's decision about a case, and what it leads to. */
import type { CaseAction } from '@paydesk/contract';
import type { Write } from '../../base/pg/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { PaymentCase } from '../cases/index.ts';
import type { Payable } from '../engine/index.ts';

/** A requested decision. `loss_amount` is a decimal string in the currency of the case, for `close` over money only. */
export interface CaseDecision {
  action: CaseAction;
  reason: string;
  loss_amount?: string | undefined;
}

/** The same, with what was read under the lock. */
export interface Decision extends CaseDecision {
  before: PaymentCase;
  order: Payable | null;
  attempt: Attempt | null;
}

/** What the decision writes. */
export interface Outcome {
  after: PaymentCase;
  writes: Write[];
  /** The writes of people's wallets, which are locked last. */
  wallets?: Write[];
}
