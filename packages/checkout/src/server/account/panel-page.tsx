import type { ComponentChildren } from 'preact';
import type { Locale } from '../../model/locale.ts';
import { type BaseContext, type PageScript, renderDocument, SendOnce } from '../document.tsx';
import { type Said, SaidBox } from './said-box.tsx';

/**
 * A page of one panel: a title, the outcome of the last form, and the parts below.
 *
 * @param address the page's own path, to which a choice of language is added
 */
export function renderPanelPage(
  page: BaseContext & { said?: Said | undefined },
  title: string,
  address: string,
  children: ComponentChildren,
  script: PageScript | null = null,
): string {
  const inLanguage = (locale: Locale): string =>
    `${address}${address.includes('?') ? '&' : '?'}lang=${locale}`;
  return renderDocument({
    page,
    title,
    inLanguage,
    script,
    children: (
      <main class="single">
        <section class="panel words">
          <h1>{title}</h1>
          <SaidBox page={page} said={page.said} />
          {children}
          <SendOnce page={page} />
        </section>
      </main>
    ),
  });
}
