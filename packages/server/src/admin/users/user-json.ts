import { rfc3339 } from '../../base/time/clock.ts';
import type { Person } from '../../identity/people/index.ts';

/** A person as administrators and the audit log see them, without the password's digest. */
export const userJson = (
  user: Pick<Person, 'user_id' | 'email' | 'name' | 'role' | 'created_at' | 'disabled_at'>,
) => ({
  user_id: user.user_id,
  email: user.email,
  name: user.name,
  role: user.role,
  disabled: user.disabled_at !== null,
  created_at: rfc3339(user.created_at),
});
