import { RenameView, SaveView, viewLists } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { invalid } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import {
  deleteView,
  renameView,
  type SavedView,
  saveView,
  selectViews,
} from '../../identity/saved-views/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type Listing, requirePerson } from '../request/member.ts';

const path = '/console/v1/views';
const readSave = reader(SaveView);
const readRename = reader(RenameView);

const viewJson = ({ view_id, list, name, query, saved_at }: SavedView) => ({
  ...{ view_id, list, name, query },
  saved_at: rfc3339(saved_at),
});

/** The views of lists that the signed-in person has saved, in both consoles: read, save, rename, delete (D-324, D-531). */
export function viewRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.get<Listing>(path, async ({ headers, query }) => {
    const { user_id } = await requirePerson(deps, headers);
    const list = viewLists.find((one) => one === query.list);
    if (list === undefined) throw invalid('list', `list must be one of ${viewLists.join(', ')}.`);
    return { items: (await selectViews(deps.db, user_id, list)).map(viewJson) };
  });

  app.put(path, async (request) => {
    const { user_id } = await requirePerson(deps, request.headers);
    requireSameOrigin(request);
    return viewJson(await saveView(deps, user_id, readSave(request.body)));
  });

  app.patch<{ Params: { view_id: string } }>(`${path}/:view_id`, async (request) => {
    const { user_id } = await requirePerson(deps, request.headers);
    requireSameOrigin(request);
    return viewJson(await renameView(deps, user_id, request.params.view_id, readRename(request.body)));
  });

  app.delete<{ Params: { view_id: string } }>(`${path}/:view_id`, async (request) => {
    const { user_id } = await requirePerson(deps, request.headers);
    requireSameOrigin(request);
    await deleteView(deps, user_id, request.params.view_id);
    return { deleted: true };
  });
}
