import { days, later } from '../../base/time/clock.ts';
import type { Write } from '../../base/pg/index.ts';
import type { Payable } from '../engine/index.ts';
import { insertHold } from './hold.sql.ts';

/** Starts the hold on an order's proceeds when it is paid; nothing if the merchant has no hold (R-130, D-073). */
export function startHold(order: Payable, paid: Date): Write[] {
  const { merchant_id, order_no, hold_days } = order;
  return hold_days === 0 ? [] : [insertHold(merchant_id, order_no, later(paid, days(hold_days)))];
}
