import { StatementExportTerms } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { merchantNo } from '../../base/ids.ts';
import { AppError } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { listMembers, type Merchant } from '../../merchants/index.ts';
import { runAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';
import { periodName } from '../wallet/period.ts';
import { addExport, changeExport, checkTerms, repeatExport, type SavedExport } from './save-export.ts';
import { mostRead } from './failing-exports.ts';
import { failingSince, type StatementDelivery, type StatementExport, statusOf } from './statement-export.ts';
import {
  deleteExport,
  selectDeliveries,
  selectExport,
  selectExportForUpdate,
  selectExports,
} from './statement-export.sql.ts';

const readTerms = reader(StatementExportTerms);

interface ByExport {
  Params: ByMerchant['Params'] & { export_id: string };
}

/** Scheduled exports of the statement: list, create, change, delete, send now. */
export function exportRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db } = deps;

  app.get<ByMerchant>('/statement-exports', async (request) => {
    const { merchant } = memberOf(request);
    const exports = await selectExports(db, merchant.merchant_id);
    return {
      items: await Promise.all(exports.map((one) => exportJson(db, one))),
      recipients: await recipientsOf(db, merchant),
      mail: deps.mail,
    };
  });

  const saved = async ({ after, secret }: SavedExport) => ({
    ...(await exportJson(db, after)),
    ...(secret === null ? {} : { secret }),
  });

  app.post<ByMerchant>('/statement-exports', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    const terms = await checkTerms(deps, merchant, readTerms(request.body));
    const by = { actor, merchant_id: merchant.merchant_id };
    const { done } = await runAsMember(
      deps,
      request,
      { actor, action: 'statement_export.create' },
      async (tx) => logged(await addExport(tx, deps, by, terms)),
    );
    return reply.code(201).send(await saved(done));
  });

  app.put<ByExport>('/statement-exports/:export_id', async (request) => {
    const { actor, merchant } = memberOf(request);
    const terms = await checkTerms(deps, merchant, readTerms(request.body));
    const of = { merchant_id: merchant.merchant_id, export_id: request.params.export_id };
    const { done } = await runAsMember(
      deps,
      request,
      { actor, action: 'statement_export.change' },
      async (tx) => logged(await changeExport(tx, deps, of, terms)),
    );
    return saved(done);
  });

  app.delete<ByExport>('/statement-exports/:export_id', async (request) => {
    const { actor, merchant } = memberOf(request);
    const { export_id } = request.params;
    await runAsMember(deps, request, { actor, action: 'statement_export.delete' }, async (tx) => {
      const before = await selectExportForUpdate(tx, merchant.merchant_id, export_id);
      if (before === null) throw new AppError('not_found');
      await deleteExport(tx, before);
      return { target: targetOf(before), before: termsOf(before), after: null };
    });
    return { deleted: true };
  });

  app.post<ByExport>(
    '/statement-exports/:export_id/sending',
    { config: { body: 'ignored' } },
    async (request, reply) => {
      const { actor, merchant } = memberOf(request);
      const { merchant_id } = merchant;
      const { export_id } = request.params;
      if ((await selectExport(db, merchant_id, export_id)) === null) throw new AppError('not_found');
      await deps.limits.take('exports', actor);
      const { of } = await runAsMember(
        deps,
        request,
        { actor, action: 'statement_export.send' },
        async (tx) => {
          const { of: repeated, period } = await repeatExport(tx, deps, { merchant_id, export_id });
          return { target: targetOf(repeated), before: null, after: { period }, of: repeated };
        },
      );
      return reply.code(202).send(await exportJson(db, of));
    },
  );
}

/** The entry in the audit log, without the key. It names the merchant, whose owners are told of a new address. */
const logged = (done: SavedExport) => ({
  target: targetOf(done.after),
  before: done.before === null ? null : termsOf(done.before),
  after: {
    ...termsOf(done.after),
    merchant_no: merchantNo(done.after.merchant_id),
    ...(done.secret === null ? {} : { secrets_set: ['export_secret'] }),
  },
  shown: done.secret === null ? null : ('export_secret' as const),
  done,
});

const targetOf = ({ export_id }: StatementExport): string => `statement_export:${export_id}`;

const termsOf = ({ frequency, time_zone, with_pdf, user_ids, url, next_at }: StatementExport) => ({
  ...{ frequency, time_zone, with_pdf, user_ids, url, paused: next_at === null },
});

const mostShown = 20;

async function exportJson(db: Queryable, of: StatementExport) {
  const deliveries = await selectDeliveries(db, of, mostRead);
  return {
    export_id: of.export_id,
    ...termsOf(of),
    created_at: rfc3339(of.created_at),
    next_period: periodName(of.frequency, of.next_day),
    next_at: rfc3339OrNull(of.next_at),
    failing_since: rfc3339OrNull(failingSince(of, deliveries)),
    deliveries: deliveries.slice(0, mostShown).map(deliveryJson),
  };
}

const deliveryJson = (of: StatementDelivery) => ({
  ...{ period: of.period, time_zone: of.time_zone, user_id: of.user_id, status: statusOf(of) },
  ...{ attempts: of.attempts, next_attempt_at: rfc3339OrNull(of.due_at) },
  sent_at: rfc3339OrNull(of.sent_at),
  failing_since: rfc3339OrNull(of.failing_since),
  ...{ last_http_status: of.last_http_status, last_error: of.last_error },
});

async function recipientsOf(db: Queryable, merchant: Merchant) {
  const members = await listMembers(db, merchant.merchant_id);
  const ids = [merchant.owner_user_id, ...members.map(({ user_id }) => user_id)];
  const people = await Promise.all([...new Set(ids)].map((user_id) => selectPerson(db, user_id)));
  return people.flatMap((person) =>
    person === null || person.disabled_at !== null
      ? []
      : [{ user_id: person.user_id, name: person.name, email: person.email }],
  );
}
