import { NewUser } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../../base/pg/index.ts';
import {
  createUser,
  type Person,
  preparePerson,
  selectPeopleNamed,
  selectPeople,
  selectPerson,
} from '../../identity/people/index.ts';
import { readUserBalance } from '../../ledger/books/index.ts';
import { lowestUuid } from '../../base/ids.ts';
import { isUuid, reader } from '../../base/input/decode.ts';
import { answerOutcome } from '../approvals/index.ts';
import { runAsAdministrator } from '../keys/index.ts';
import { textIn } from '../request/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import type { AdminDeps } from '../request/deps.ts';
import { userInPath } from '../request/person-in-path.ts';
import { actorOf, type ByUser, type Listing } from '../request/request.ts';
import { runTopUp } from '../wallets/top-up-writes.ts';
import { userJson } from './user-json.ts';

const readNew = reader(NewUser);

/** `GET` and `POST /users`, and a person's top-ups and wallet. */
export function userRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;
  const walletOf = async (user_id: string) => ({
    available_ptk: (await readUserBalance(db, user_id)).toString(),
  });

  app.get<Listing>('/users', async ({ query }) => {
    const { limit, after } = readPageRequest(query, isUuid);
    const text = textIn(query, 'q');
    if (text !== null) return { items: (await peopleNamed(db, text, limit)).map(userJson) };
    const people = await selectPeople(db, after ?? lowestUuid, limit + 1);
    return pageOf(people, limit, ({ user_id }) => user_id, userJson);
  });

  app.get<ByUser>('/users/:user_id', async ({ params }) => userJson(await userInPath(db, params.user_id)));

  app.post('/users', async (request, reply) => {
    const { role = 'user', ...person } = readNew(request.body);
    const act = { actor: actorOf(request), action: 'user.create' };
    const user = await preparePerson(deps, { ...person, role }, deps.clock.now());
    const { after } = await runAsAdministrator(deps, act, async (tx) => {
      await createUser(tx, user);
      return { target: `user:${user.user_id}`, before: null, after: userJson(user) };
    });
    return reply.code(201).send(after);
  });

  app.get<ByUser>('/users/:user_id/wallet', async ({ params }) => {
    const { user_id } = await userInPath(db, params.user_id);
    return walletOf(user_id);
  });

  app.post<ByUser>('/users/:user_id/ptk-top-ups', async (request, reply) => {
    const { user_id } = await userInPath(db, request.params.user_id);
    const outcome = await runTopUp(deps, actorOf(request), { user_id }, request.body);
    return answerOutcome(reply, outcome, async (written) =>
      reply.code(written === null ? 200 : 201).send(await walletOf(user_id)),
    );
  });
}

/** The person with this id, or the first people whose address or name begins with the text. */
async function peopleNamed(db: Queryable, text: string, limit: number): Promise<Person[]> {
  if (!isUuid(text)) return selectPeopleNamed(db, text, limit);
  const person = await selectPerson(db, text);
  return person === null ? [] : [person];
}
