/** The page for an error. */
import type { AccountKey } from '../texts/account/messages.ts';
import type { MessageKey } from '../texts/messages.ts';
import { Icon } from '../view/icon.tsx';
import { accountUi, type BaseContext, pageUi, type PageUi, renderDocument } from './document.tsx';

export interface MessageContext extends BaseContext {
  /** The error code that the page explains; an unknown code gets the general text. */
  code: string;
  /** Seconds to wait, for 429 and 503. */
  retry_after_s?: number | undefined;
  /** A path of this service to try again at; set only if that can help. */
  retry_url?: string | undefined;
}

/** Errors of a request for consent: title and text. */
const requests = new Map<string, readonly [AccountKey, AccountKey]>(
  Object.entries({
    invalid_authorization_request: ['request_bad_title', 'request_bad_text'],
    authorization_expired: ['request_over_title', 'request_over_text'],
  } as const),
);

interface Words {
  title: MessageKey;
  text: MessageKey;
}

const notFound: Words = { title: 'not_found_title', text: 'not_found_text' };
const unavailable: Words = { title: 'unavailable_title', text: 'unavailable_text' };
const failed: Words = { title: 'error_title', text: 'error_text' };

/** Errors that may be gone on the next try. */
const passing = new Set(['rate_limited', 'rate_limit_unavailable', 'service_unavailable', 'server_error']);

const pages = new Map<string, Words>(
  Object.entries({
    payment_not_found: notFound,
    not_found: notFound,
    page_not_found: { title: 'no_page_title', text: 'no_page_text' },
    payment_expired: { title: 'gone_title', text: 'gone_text' },
    rate_limited: { title: 'limited_title', text: 'limited_text' },
    rate_limit_unavailable: unavailable,
    service_unavailable: unavailable,
    cross_site_request: { title: 'cross_site_title', text: 'cross_site_text' },
  } as const),
);

/** A page for an error that is not a state of an order: 403, 404, 410, 429, 500, 503. */
export function renderMessage(page: MessageContext): string {
  const ui = pageUi(page);
  const { title, text } = wordsOf(page, ui);
  return renderDocument({
    page,
    title,
    inLanguage: null,
    script: null,
    children: (
      <main class="single">
        <section class="panel words" data-code={page.code}>
          <span class="badge">
            <Icon name="info" />
          </span>
          <h1>{title}</h1>
          <p>{text}</p>
          {page.code === 'page_not_found' && (
            <a class="primary" href={`${page.base_path}/`}>
              {ui.t('to_the_start')}
            </a>
          )}
          {page.retry_url !== undefined && passing.has(page.code) && (
            <a class="primary" href={page.retry_url}>
              {ui.t('try_again')}
            </a>
          )}
        </section>
      </main>
    ),
  });
}

function wordsOf(page: MessageContext, ui: PageUi): { title: string; text: string } {
  const request = requests.get(page.code);
  if (request !== undefined) {
    const { t } = accountUi(page);
    return { title: t(request[0]), text: t(request[1]) };
  }
  const { title, text } = pages.get(page.code) ?? failed;
  return { title: ui.t(title), text: ui.t(text, { seconds: ui.duration(page.retry_after_s ?? 30) }) };
}
