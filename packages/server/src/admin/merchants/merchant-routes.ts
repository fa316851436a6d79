import { MerchantChange, NewMerchant } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { lowestUuid, merchantIdOf, merchantNo } from '../../base/ids.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { readMerchantBalances } from '../../ledger/books/index.ts';
import {
  endInvitationsBy,
  type Merchant,
  roleAt,
  selectMerchants,
  type MerchantFilter,
  createMerchant,
  type MerchantSettings,
  updateMerchant,
  merchantWalletJson,
} from '../../merchants/index.ts';
import { answerOutcome } from '../approvals/index.ts';
import { changeAsAdministrator } from '../keys/index.ts';
import { demandReason, oneIn, textIn } from '../request/decode.ts';
import { isUuid, reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import type { AdminDeps } from '../request/deps.ts';
import { findMerchant, merchantIdInPath } from '../request/merchant.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { merchantJson } from './merchant-json.ts';
import { demandPerson } from '../request/person-in-path.ts';
import { actorOf, type ByMerchant, type Listing } from '../request/request.ts';
import { runTopUp } from '../wallets/top-up-writes.ts';

const readNew = reader(NewMerchant);
const readChange = reader(MerchantChange);

/** `GET`, `POST` and `PATCH /merchants`, and a merchant's top-ups and wallet. */
export function merchantRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query, isUuid);
    const merchants = await selectMerchants(db, after ?? lowestUuid, limit + 1, filterOf(query));
    return pageOf(merchants, limit, ({ merchant_id }) => merchant_id, merchantJson);
  };
  listRoutes<Listing, ReturnType<typeof merchantJson>>(app, '/merchants', load, {
    columns: [
      ...(['merchant_no', 'name', 'owner_user_id', 'status', 'hold_days', 'credit_limit_ptk'] as const),
      ...(['contact', 'website_url', 'created_at'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByMerchant>('/merchants/:merchant_no', async ({ params }) =>
    merchantJson(await findMerchant(db, params.merchant_no)),
  );

  app.post('/merchants', async (request, reply) => {
    const settings = readNew(request.body);
    const act = { actor: actorOf(request), action: 'merchant.create' };
    const { after } = await changeAsAdministrator(deps, act, async (tx) => {
      await demandPerson(tx, 'owner_user_id', settings.owner_user_id);
      const merchant = await createMerchant(tx, deps.ids.uuid(), settings, deps.clock.now());
      return { target: targetOf(merchant), before: null, after: merchantJson(merchant) };
    });
    return reply.code(201).send(after);
  });

  app.patch<ByMerchant>('/merchants/:merchant_no', async (request) => {
    const merchant_id = merchantIdInPath(request.params.merchant_no);
    const { settings, reason } = settingsOf(readChange(request.body));
    const act = { actor: actorOf(request), action: 'merchant.change', reason };
    const { after } = await changeAsAdministrator(deps, act, async (tx) => {
      if (settings.owner_user_id !== undefined) {
        await demandPerson(tx, 'owner_user_id', settings.owner_user_id);
      }
      const change = await updateMerchant(tx, merchant_id, settings);
      await endInvitationsOfHolder(tx, deps, change, act);
      return {
        target: targetOf(change.after),
        before: merchantJson(change.before),
        after: merchantJson(change.after),
      };
    });
    return after;
  });

  app.get<ByMerchant>('/merchants/:merchant_no/wallet', async ({ params }) => {
    const merchant = await findMerchant(db, params.merchant_no);
    return merchantWalletJson(merchant, await readMerchantBalances(db, merchant.merchant_id));
  });

  app.post<ByMerchant>('/merchants/:merchant_no/ptk-top-ups', async (request, reply) => {
    const merchant = await findMerchant(db, request.params.merchant_no);
    const { merchant_id } = merchant;
    const outcome = await runTopUp(deps, actorOf(request), { merchant_id }, request.body);
    return answerOutcome(reply, outcome, async (written) => {
      const wallet = merchantWalletJson(merchant, await readMerchantBalances(db, merchant_id));
      return reply.code(written === null ? 200 : 201).send(wallet);
    });
  });
}

/** Ends the open invitations of a person who held the merchant and is no longer an owner. */
async function endInvitationsOfHolder(
  tx: Tx,
  deps: AdminDeps,
  { before, after }: { before: Merchant; after: Merchant },
  { actor, reason }: { actor: string; reason: string | null },
): Promise<void> {
  const { owner_user_id: user_id, merchant_id } = before;
  if ((await roleAt(tx, after, user_id)) === 'owner') return;
  await endInvitationsBy(tx, deps, { user_id, merchant_id }, { actor, reason });
}

const targetOf = ({ merchant_id }: Pick<Merchant, 'merchant_id'>): string =>
  `merchant:${merchantNo(merchant_id)}`;

/** Reads the filter of the list. Throws `invalid_request`. */
function filterOf(query: Readonly<Record<string, unknown>>): MerchantFilter {
  const text = textIn(query, 'q');
  const owner_user_id = textIn(query, 'owner_user_id');
  if (owner_user_id !== null && !isUuid(owner_user_id))
    throw invalid('owner_user_id', 'This is not the id of a person.');
  return {
    text,
    merchant_id: text === null ? null : merchantIdOf(text),
    status: oneIn(query, 'status', ['active', 'inactive']),
    owner_user_id,
  };
}

/** The settings of a change, and its reason. A new status or credit limit needs a reason. */
function settingsOf(change: MerchantChange): { settings: MerchantSettings; reason: string | null } {
  const { reason: given, credit_limit_ptk, ...rest } = change;
  const weighty = rest.status !== undefined || credit_limit_ptk !== undefined;
  return {
    settings: {
      ...rest,
      ...(credit_limit_ptk === undefined ? {} : { credit_limit_ptk: BigInt(credit_limit_ptk) }),
    },
    reason: weighty ? demandReason(given) : (given ?? null),
  };
}
