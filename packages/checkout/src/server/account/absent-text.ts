/** What a console says in place of its application, if the service lacks a file of it. */
import type { Locale } from '../../model/locale.ts';
import { accountUi } from '../document.tsx';

export const absentText = (locale: Locale): string => accountUi({ locale }).t('console_absent');
