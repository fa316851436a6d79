export {
  type Page,
  pageOf,
  pageOfAll,
  type PageRequest,
  readPageRequest,
} from '../../base/input/list-page.ts';
