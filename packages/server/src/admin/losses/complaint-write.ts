/**
 * The decision on a complaint, as a write. Confirming a complaint about a PTK payment gives the PTK back to the buyer, as
 * a refund does, so it may wait for a second person. By card the bank has decided, and the money has gone back already.
 */
import { ptk } from '../../base/money.ts';
import { selectOpenDisputes } from '../../payments/disputes/index.ts';
import { type Complaint } from '../../payments/losses/index.ts';
import { type ComplaintDecision, decideComplaint } from '../../payments/complaints/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import { money } from '../request/permissions.ts';
import { type OfGoods, refuseIfDelivered } from './delivered-meanwhile.ts';
import { complaintJson } from './loss-json.ts';

interface DecisionAsked extends ComplaintDecision, OfGoods {
  complaint_id: string;
}

export const complaintWrite: GuardedWrite<DecisionAsked> = {
  action: 'complaint.decide',
  askedBy: money,
  subjectOf: ({ complaint_id, decision }) => `${complaint_id} ${decision}`,
  async run({ payments }, tx, { complaint_id, delivered, ...decision }) {
    const { before, after } = await decideComplaint(payments, tx, complaint_id, decision, selectOpenDisputes);
    await refuseIfDelivered(tx, { delivered }, before);
    return {
      target: `complaint:${complaint_id}`,
      before: complaintJson(before),
      after: complaintJson(after),
      amount_ptk: returnedPtk(after),
    };
  },
};

/** The PTK that goes back to the buyer's wallet. */
const returnedPtk = ({ status, currency, loss_amount }: Complaint): bigint =>
  status === 'confirmed' && currency === ptk ? (loss_amount ?? 0n) : 0n;
