/** The calls about the views of lists that a person saved. */
import Type from 'typebox';
import { RenameView, SaveView, View, ViewDeleted, SavedViews, viewLists } from '../../console/view.ts';
import { OneOf } from '../../scalars.ts';
import { anyCall, withBody } from '../common-errors.ts';
import type { Operation } from '../operation.ts';
import { query } from '../parameters.ts';

const at = (path: string) => ({ below: 'base_url', path }) as const;
const security = { by: 'session_cookie' } as const;
const view_id = {
  name: 'view_id',
  in: 'path',
  required: true,
  description: 'The view.',
  schema: Type.String(),
  example: 'sv_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
} as const;
const call = [...anyCall, 'authentication_required', 'second_factor_setup_required'] as const;

export const viewOperations: readonly Operation[] = [
  {
    id: 'listViews',
    tag: 'Console',
    method: 'get',
    place: at('/console/v1/views'),
    summary: 'List the saved views of a list',
    description: 'The views that the signed-in person saved; no other person sees them.',
    security,
    parameters: [
      { ...query('list', 'The list.', OneOf(viewLists, 'A list of the consoles.')), required: true },
    ],
    successes: [{ status: 200, description: 'The views.', schemas: [SavedViews] }],
    errors: call,
    limits: [],
  },
  {
    id: 'saveView',
    tag: 'Console',
    method: 'put',
    place: at('/console/v1/views'),
    summary: 'Save a view of a list',
    description: 'At most 30 views of one list. A view with the same name is replaced.',
    security,
    body: { type: 'application/json', schema: SaveView },
    successes: [{ status: 200, description: 'Saved.', schemas: [View] }],
    errors: [...call, ...withBody, 'cross_site_request'],
    limits: [],
  },
  {
    id: 'renameView',
    tag: 'Console',
    method: 'patch',
    place: at('/console/v1/views/{view_id}'),
    summary: 'Rename a saved view',
    description: 'One’s own. A name that another view of the list has is refused.',
    security,
    parameters: [view_id],
    body: { type: 'application/json', schema: RenameView },
    successes: [{ status: 200, description: 'Renamed.', schemas: [View] }],
    errors: [...call, ...withBody, 'cross_site_request', 'not_found', 'already_exists'],
    limits: [],
  },
  {
    id: 'deleteView',
    tag: 'Console',
    method: 'delete',
    place: at('/console/v1/views/{view_id}'),
    summary: 'Delete a saved view',
    description: 'One’s own.',
    security,
    parameters: [view_id],
    successes: [{ status: 200, description: 'Deleted.', schemas: [ViewDeleted] }],
    errors: [...call, 'cross_site_request', 'not_found'],
    limits: [],
  },
];
