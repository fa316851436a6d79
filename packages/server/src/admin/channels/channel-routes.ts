import { ChannelChange, DebugGrants, NewChannel, SecretRotation } from '@paydesk/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Queryable } from '../../base/pg/index.ts';
import {
  type Channel,
  selectChannels,
  selectChannel,
  createChannel,
  updateChannel,
} from '../../channels/index.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOfAll, readPageRequest } from '../../base/input/list-page.ts';
import { AppError, invalid } from '../../base/errors.ts';
import { channelAnswer, channelJson } from './channel-json.ts';
import { changedChannel, newChannel, secretsSetBy, withRotatedSecret } from './channel-settings.ts';
import { changeAsAdministrator } from '../keys/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { demandMerchant } from '../request/merchant.ts';
import { demandPerson } from '../request/person-in-path.ts';
import { actorOf, type ByChannel, callerOf, type Listing } from '../request/request.ts';

const readNew = reader(NewChannel);
const readChange = reader(ChannelChange);
const readGrants = reader(DebugGrants);
const readRotation = reader(SecretRotation);

/** `GET`, `POST` and `PATCH /channels`, debug grants, and rotation of the webhook secret. */
export function channelRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { box, clock, ids } = deps;
  const { public_url } = deps.config;
  const answer = (channel: Channel) => channelAnswer(channel, public_url);

  /** Changes a stored channel. `secrets` names the secrets that the change sets. */
  const change = async (
    { actor, action }: { actor: string; action: string },
    payment_no: string,
    secrets: string[],
    prepare: (tx: Queryable) => Promise<(channel: Channel) => Channel>,
  ) => {
    const { channel } = await changeAsAdministrator(deps, { actor, action }, async (tx) => {
      const { before, after } = await updateChannel(tx, payment_no, await prepare(tx));
      return {
        target: `channel:${payment_no}`,
        before: channelJson(before),
        after: { ...channelJson(after), ...secretsNamed(secrets) },
        channel: after,
      };
    });
    return answer(channel);
  };

  channelReads(app, deps);

  app.post('/channels', async (request, reply) => {
    const body = readNew(request.body);
    const now = clock.now();
    const payment_no = `ch_${ids.ulid(now)}`;
    const webhook_key = ids.secret(24);
    const act = { actor: actorOf(request), action: 'channel.create' };
    const { channel } = await changeAsAdministrator(deps, act, async (tx) => {
      const merchant_id = await ownerOfNew(tx, body);
      const made = { payment_no, merchant_id, webhook_key, created_at: now };
      const channel = await createChannel(tx, newChannel(body, box, made));
      const after = { ...channelJson(channel), ...secretsNamed(secretsSetBy(body.config)) };
      return { target: `channel:${payment_no}`, before: null, after, channel };
    });
    return reply.code(201).send(answer(channel));
  });

  app.patch<ByChannel>('/channels/:payment_no', (request) => {
    const body = readChange(request.body);
    const act = { actor: actorOf(request), action: 'channel.change' };
    return change(act, request.params.payment_no, secretsSetBy(body.config), () =>
      Promise.resolve((channel) => changedChannel(channel, body, box)),
    );
  });

  app.put<ByChannel>('/channels/:payment_no/debug-grants', (request) => {
    const { merchants = [], users = [] } = readGrants(request.body);
    const act = { actor: actorOf(request), action: 'channel.debug-grants' };
    return change(act, request.params.payment_no, [], async (tx) => {
      const debug_merchants = await merchantIds(tx, merchants);
      for (const [i, user_id] of users.entries()) await demandPerson(tx, `users.${i}`, user_id);
      const debug_users = [...new Set(users)];
      return (channel) => ({ ...channel, debug_merchants, debug_users });
    });
  });

  app.post<ByChannel>('/channels/:payment_no/webhook-secret-rotation', (request) => {
    const { webhook_secret } = readRotation(request.body);
    const act = { actor: actorOf(request), action: 'channel.rotate-webhook-secret' };
    return change(act, request.params.payment_no, ['webhook_secret'], () =>
      Promise.resolve((channel) => withRotatedSecret(channel, webhook_secret, box, clock.real())),
    );
  });
}

/** The channels. Only administrators see the address of their webhooks, because its path is a secret (D-1411). */
function channelReads(app: FastifyInstance, { db, config }: AdminDeps): void {
  const answerTo = (request: FastifyRequest) => (channel: Channel) =>
    callerOf(request).role === 'admin' ? channelAnswer(channel, config.public_url) : channelJson(channel);

  app.get<Listing>('/channels', async (request) => {
    const page = readPageRequest(request.query);
    return pageOfAll(await selectChannels(db), page, ({ payment_no }) => payment_no, answerTo(request));
  });

  app.get<ByChannel>('/channels/:payment_no', async (request) => {
    const channel = await selectChannel(db, request.params.payment_no);
    if (channel === null) throw new AppError('not_found');
    return answerTo(request)(channel);
  });
}

/** The audit log records that a secret was set, but not the secret. */
const secretsNamed = (secrets: string[]) => (secrets.length === 0 ? {} : { secrets_set: secrets });

/** The merchant who owns a new channel; null if the platform owns it. */
async function ownerOfNew(db: Queryable, { owner, merchant_no }: NewChannel): Promise<string | null> {
  const named = merchant_no ?? null;
  if (owner === 'platform') {
    if (named !== null) throw invalid('merchant_no', 'A channel of the platform belongs to no merchant.');
    return null;
  }
  if (named === null) throw invalid('merchant_no', 'Name the merchant who owns the account.');
  return demandMerchant(db, 'merchant_no', named);
}

async function merchantIds(db: Queryable, merchants: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const [i, merchant_no] of merchants.entries()) {
    found.add(await demandMerchant(db, `merchants.${i}`, merchant_no));
  }
  return [...found];
}
