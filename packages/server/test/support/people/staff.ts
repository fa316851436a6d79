/** Administrators of a test's own, each with a session. */
import { addUser, type Person, signIn } from '../desks/platform.ts';
import type { Answer, Json, TestService } from '../desks/service.ts';

export interface Staff extends Person {
  /** As the audit log names this person. */
  actor: string;
  /** A call of the administration API with this person's session; answers errors too. */
  call<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
}

/** A new person with a role of the platform, signed in. */
export async function addStaff(service: TestService, name: string, role = 'admin'): Promise<Staff> {
  const person = await addUser(service, name, role);
  const cookie = await signIn(service, person);
  const headers = { cookie, origin: new URL(service.url).origin };
  return {
    ...person,
    actor: `user:${person.user_id}`,
    call: (method, path, body) =>
      service.send(method, `/admin/v1${path}`, { headers, ...(body === undefined ? {} : { body }) }),
  };
}
