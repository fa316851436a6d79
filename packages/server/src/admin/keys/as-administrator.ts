/** Audited writes that only administrators may do: each is refused if its sender's role or key has ended by then (D-1000). */
import { type Act, type AuditDeps, changeAudited, type Done, runAudited } from '../../base/audit/index.ts';
import type { Tx } from '../../base/pg/index.ts';
import { demandAdministrator } from './lock-sender.ts';

const demanding =
  <D>(act: Act, work: (tx: Tx) => Promise<D>, others: readonly string[] = []) =>
  async (tx: Tx): Promise<D> => {
    await demandAdministrator(tx, act.actor, others);
    return work(tx);
  };

/** `runAudited` for administrators; `others` are the people whom the write locks too. Throws as `demandAdministrator` does. */
export const runAsAdministrator = <D extends Done<unknown, unknown> | null>(
  deps: Omit<AuditDeps, 'cache'>,
  act: Act,
  work: (tx: Tx) => Promise<D>,
  others: readonly string[] = [],
): Promise<D> => runAudited(deps, act, demanding(act, work, others));

/** `changeAudited` for administrators. Throws as `demandAdministrator` does. */
export const changeAsAdministrator = <D extends Done<unknown, unknown>>(
  deps: AuditDeps,
  act: Act,
  work: (tx: Tx) => Promise<D>,
): Promise<D> => changeAudited(deps, act, demanding(act, work));
