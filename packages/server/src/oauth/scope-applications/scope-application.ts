/** What a scope application is: a merchant asks for scopes for one of its clients, and an administrator decides. */
import type { Client, Scope } from '../clients/index.ts';

/** An application for scopes. */
export interface ScopeApplication {
  application_id: string;
  client_id: string;
  merchant_id: string;
  /** All scopes that the client should have. */
  scopes: Scope[];
  /** `superseded`: the merchant sent a newer application before the decision. */
  status: 'pending' | 'approved' | 'rejected' | 'superseded';
  /** The actor, as the audit log names it. */
  requested_by: string;
  requested_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  reason: string | null;
  /** The approved scopes, which may differ from the requested ones. */
  approved_scopes: Scope[] | null;
}

/** An application with the current state of its client, for the person who decides. */
export interface ApplicationWithClient {
  application: ScopeApplication;
  client: Client;
}

/** A decision on an application. */
export type ScopeDecision = { decided_by: string; reason: string } & (
  | { decision: 'approve'; scopes?: readonly string[] | undefined }
  | { decision: 'reject' }
);

export const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((scope) => b.includes(scope));
