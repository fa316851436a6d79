/** The recipients who can still get a scheduled export. */
import type { Queryable } from '../../base/pg/index.ts';
import { type Person, selectPerson } from '../../identity/people/index.ts';
import { type Merchant, roleAt } from '../../merchants/index.ts';
import type { StatementExport } from './statement-export.ts';

/** The person, if they still work for the merchant. */
export async function teamMate(db: Queryable, merchant: Merchant, user_id: string): Promise<Person | null> {
  const [person, role] = await Promise.all([selectPerson(db, user_id), roleAt(db, merchant, user_id)]);
  return person === null || person.disabled_at !== null || role === null ? null : person;
}

/** Whether there is an address, or a person who still works for the merchant: without one an export stops (D-664). */
export async function hasRecipient(db: Queryable, of: StatementExport, merchant: Merchant): Promise<boolean> {
  if (of.url !== null) return true;
  const mates = await Promise.all(of.user_ids.map((user_id) => teamMate(db, merchant, user_id)));
  return mates.some((mate) => mate !== null);
}
