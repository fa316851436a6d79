/** Views of the consoles' lists that people save for themselves. */
export { deleteView, renameView, saveView } from './saved-views.ts';
export { type SavedView, selectViews } from './saved-view.sql.ts';
