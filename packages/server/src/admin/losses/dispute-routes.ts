import { DisputeFileUpload, EvidenceRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import { isInstant } from '../../base/input/instant.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import {
  type Dispute,
  disputeStages,
  type Evidence,
  pursueEvidence,
  type QueuePlace,
  requestEvidence,
  selectDisputeById,
  selectDisputePage,
  uploadFile,
  upsertFile,
} from '../../payments/disputes/index.ts';
import { runAsStaff } from '../approvals/index.ts';
import { oneIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { cases } from '../request/permissions.ts';
import { actorOf, type ByDispute, type Listing } from '../request/request.ts';
import { disputeDetail, disputeJson, fileJson } from './dispute-json.ts';

const readUpload = reader(DisputeFileUpload);
const readEvidence = reader(EvidenceRequest);

/** Bytes of a body with the largest file in base64, and of one with the longest texts in UTF-8, escaped. */
const most_bytes = { file: 6_100_000, texts: 1_000_000 };

/** Disputes at the card provider by their deadline, and the evidence that people send (D-342, D-343, D-344, D-345). */
export function disputeRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, payments } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query, (key) => placeOf(key) !== null);
    const stage = oneIn(query, 'stage', disputeStages) ?? 'to_answer';
    const found = await selectDisputePage(db, stage, after === null ? null : placeOf(after), limit + 1);
    return pageOf(found, limit, keyOf, disputeJson);
  };
  listRoutes<Listing, ReturnType<typeof disputeJson>>(app, '/disputes', load, {
    columns: [
      ...([
        'dispute_id',
        'merchant_no',
        'order_no',
        'case_id',
        'payment_no',
        'stage',
        'state',
        'reason',
      ] as const),
      ...(['amount', 'currency', 'due_by', 'submissions', 'opened_at', 'seen_at', 'test_mode'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByDispute>('/disputes/:dispute_id', async ({ params }) =>
    disputeDetail(deps, await disputeIn(deps, params.dispute_id)),
  );

  const file = { config: { max_body_bytes: most_bytes.file } };
  app.post<ByDispute>('/disputes/:dispute_id/files', file, async (request, reply) => {
    const { field, content } = readUpload(request.body);
    const dispute = await disputeIn(deps, request.params.dispute_id);
    const actor = actorOf(request);
    const uploaded = await uploadFile(payments, dispute, { field, content, uploaded_by: actor });
    const act = { actor, action: 'dispute.upload' };
    const { after } = await runAsStaff(deps, act, cases, async (tx) => {
      await upsertFile(tx, dispute, uploaded);
      return { target: `dispute:${dispute.dispute_id}`, before: null, after: fileJson(uploaded) };
    });
    return reply.code(201).send(after);
  });

  const texts = { config: { max_body_bytes: most_bytes.texts } };
  app.post<ByDispute>('/disputes/:dispute_id/evidence', texts, async (request, reply) => {
    const asked = readEvidence(request.body);
    const dispute = await disputeIn(deps, request.params.dispute_id);
    const actor = actorOf(request);
    const act = { actor, action: 'dispute.evidence' };
    const { evidence } = await runAsStaff(deps, act, cases, async (tx) => {
      const stored = await requestEvidence(payments, tx, dispute, {
        ...{ texts: asked.texts ?? {}, files: asked.files ?? [], asked_by: actor },
      });
      const { evidence_id } = stored;
      // The texts contain data of buyers, so the log has only the names of the texts.
      const after = { evidence_id, texts: Object.keys(asked.texts ?? {}), files: asked.files ?? [] };
      return { target: `dispute:${dispute.dispute_id}`, before: null, after, evidence: stored };
    });
    await pursueOrLeaveToWorker(deps, evidence);
    return reply.code(201).send(await disputeDetail(deps, await disputeIn(deps, dispute.dispute_id)));
  });
}

/** Sends evidence. It is already stored: if this fails, a worker tries again. */
async function pursueOrLeaveToWorker({ payments, log }: AdminDeps, evidence: Evidence): Promise<void> {
  try {
    await pursueEvidence(payments, evidence);
  } catch (error) {
    const { evidence_id } = evidence;
    log.error({ err: error, evidence_id }, 'could not send evidence; the worker tries again');
  }
}

/** @throws AppError `not_found` */
async function disputeIn({ db }: AdminDeps, dispute_id: string): Promise<Dispute> {
  const dispute = await selectDisputeById(db, dispute_id);
  if (dispute === null) throw new AppError('not_found');
  return dispute;
}

const keyOf = ({ due_by, dispute_id }: Dispute): string =>
  `${due_by?.toISOString() ?? 'infinity'} ${dispute_id}`;

function placeOf(key: string): QueuePlace | null {
  const [due_by = '', dispute_id = '', ...more] = key.split(' ');
  const isPlace = due_by === 'infinity' || isInstant(due_by);
  return isPlace && dispute_id !== '' && more.length === 0 ? { due_by, dispute_id } : null;
}
