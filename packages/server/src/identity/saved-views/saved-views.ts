/** Saves, renames and deletes a person's views of lists. Invariant: a person reads and changes only own views. */
import { runAudited } from '../../base/audit/index.ts';
import { AppError, invalid } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import { type Database, isUniqueViolation } from '../../base/pg/index.ts';
import type { Clock } from '../../base/time/clock.ts';
import { lockPerson } from '../people/index.ts';
import {
  lockView,
  removeView,
  type SavedView,
  selectViews,
  setViewName,
  upsertView,
} from './saved-view.sql.ts';

interface ViewDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
}

/** More views do not fit into a menu. */
const mostViews = 30;

/**
 * Saves a view under a name; a view of the list with this name is replaced (D-324).
 *
 * @throws AppError `invalid_request` on `name` if it is empty, or the list has 30 views already
 */
export async function saveView(
  deps: ViewDeps,
  user_id: string,
  asked: Pick<SavedView, 'list' | 'name' | 'query'>,
): Promise<SavedView> {
  const { list, query } = asked;
  const name = nameOf(asked.name);
  const { saved } = await runAudited(deps, { actor: `user:${user_id}`, action: 'view.save' }, async (tx) => {
    // Views that are saved at once are counted one after the other (D-1366).
    await lockPerson(tx, user_id);
    const views = await selectViews(tx, user_id, list);
    const before = views.find((view) => view.name === name) ?? null;
    if (before === null && views.length >= mostViews) {
      throw invalid('name', `A list has at most ${mostViews} saved views: delete one first.`);
    }
    const saved_at = deps.clock.now();
    const view = { user_id, view_id: `sv_${deps.ids.ulid(saved_at)}`, list, name, query, saved_at };
    return {
      target: `view:${list}`,
      before: before === null ? null : { name, query: before.query },
      after: { name, query },
      saved: await upsertView(tx, view),
    };
  });
  return saved;
}

/**
 * Gives a person's view another name; no other view is replaced (D-531).
 *
 * @throws AppError `not_found`; `invalid_request` on `name` if it is empty; `already_exists` on `name` if another view of
 *   the list has it
 */
export async function renameView(
  deps: ViewDeps,
  user_id: string,
  view_id: string,
  asked: { name: string },
): Promise<SavedView> {
  const name = nameOf(asked.name);
  const renaming = runAudited(deps, { actor: `user:${user_id}`, action: 'view.rename' }, async (tx) => {
    const view = await lockView(tx, user_id, view_id);
    if (view === null) throw new AppError('not_found');
    await setViewName(tx, view, name);
    return {
      target: `view:${view.list}`,
      before: { name: view.name },
      after: { name },
      renamed: { ...view, name },
    };
  });
  const { renamed } = await renaming.catch((error: unknown) => {
    const description = 'Another view of this list has this name.';
    throw isUniqueViolation(error) ? new AppError('already_exists', { field: 'name', description }) : error;
  });
  return renamed;
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '') throw invalid('name', 'A view needs a name.');
  return name;
}

/** Deletes a person's view. Throws AppError `not_found`. */
export async function deleteView(deps: ViewDeps, user_id: string, view_id: string): Promise<void> {
  await runAudited(deps, { actor: `user:${user_id}`, action: 'view.delete' }, async (tx) => {
    const view = await removeView(tx, user_id, view_id);
    if (view === null) throw new AppError('not_found');
    return { target: `view:${view.list}`, before: { name: view.name, query: view.query }, after: null };
  });
}
