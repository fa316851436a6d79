/** Types of administration requests, and who makes a request. */
import type { FastifyRequest } from 'fastify';
import { InvariantError } from '../../base/errors.ts';
import type { Caller } from './authenticate.ts';

/** A request of any route. */
type Request = Pick<FastifyRequest, 'id'>;

const callers = new WeakMap<Request, Caller>();

/** Stores who was authenticated for a request. */
export function setCaller(request: Request, caller: Caller): void {
  callers.set(request, caller);
}

/** Who makes a call, as `setCaller` stored it. */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new InvariantError('an administration call without a caller');
  return caller;
}

/** The caller in the audit log. */
export const actorOf = (request: Request): string => callerOf(request).actor;

/** The members of requests that handlers read. */
export interface Listing {
  Querystring: Record<string, unknown>;
}
export interface ByCode {
  Params: { code: string };
}
export interface ByUser {
  Params: { user_id: string };
}
export interface ByMerchant {
  Params: { merchant_no: string };
}
export interface ByProduct {
  Params: { merchant_no: string; gd_no: string };
}
export interface ByClient {
  Params: { client_id: string };
}
export interface ByApproval {
  Params: { approval_id: string };
}
export interface ByKey {
  Params: { key_id: string };
}
export interface ByApplication {
  Params: { application_id: string };
}
export interface ByChannel {
  Params: { payment_no: string };
}
export interface ByWithdrawal {
  Params: { withdrawal_id: string };
}
export interface ByComplaint {
  Params: { complaint_id: string };
}
export interface ByDispute {
  Params: { dispute_id: string };
}
export interface ByCase {
  Params: { case_id: string };
}
export interface ByOrder {
  Params: { order_no: string };
}
export interface ByJob {
  Params: { name: string };
}
