import type { Client, Scope } from '../clients/index.ts';

/** What a merchant asks for one of its clients: all the scopes that it wants the client to have. */
export interface ScopeApplication {
  application_id: string;
  client_id: string;
  merchant_id: string;
  scopes: Scope[];
  /** Superseded: the merchant asked for something else before anybody decided. */
  status: 'pending' | 'approved' | 'rejected' | 'superseded';
  /** As the audit log names people. */
  requested_by: string;
  requested_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  reason: string | null;
  /** What was approved, which may be something else than what was asked for. */
  approved_scopes: Scope[] | null;
}

/** An application with the client that it is about, as it is now: what whoever decides has to know. */
export interface ApplicationWithClient {
  application: ScopeApplication;
  client: Client;
}

/** A decision on an application. */
export type ScopeDecision = { decided_by: string; reason: string } & (
  { decision: 'approve'; scopes?: readonly string[] | undefined } | { decision: 'reject' }
);

export const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((scope) => b.includes(scope));
