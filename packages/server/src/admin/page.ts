export { type Page, pageOf, pageOfAll, type PageRequest, readPageRequest } from '../base/list-page.ts';
