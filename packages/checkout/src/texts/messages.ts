/** The types of the checkout's texts, from the English ones, and how placeholders are filled in. */
import type { en } from './en.ts';

export type MessageKey = keyof typeof en;

/** Every text of one language. A missing or an unknown key does not compile. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** Texts that only the server renders: the page does not carry them to its script. */
const serverKeys = [
  ...(['language', 'page_title', 'page_title_status', 'no_script', 'footer', 'try_again'] as const),
  ...(['phone_title', 'phone_text', 'phone_alt'] as const),
  ...(['not_found_title', 'cross_site_title', 'gone_title', 'gone_text', 'limited_title'] as const),
  ...(['limited_text', 'unavailable_title', 'unavailable_text', 'error_title', 'error_text'] as const),
  ...(['sign_in_title', 'sign_in_email', 'sign_in_password', 'sign_in_invalid', 'sign_in_limited'] as const),
  ...(['no_page_title', 'no_page_text', 'to_the_start'] as const),
  ...(['sign_in_back', 'order_delivered_title', 'order_delivery', 'order_preparing'] as const),
  ...(['order_delivered', 'receipt_title', 'receipt_description', 'receipt_status', 'receipt_paid'] as const),
  ...([
    'receipt_refunded',
    'receipt_chargeback',
    'receipt_print',
    'method_wait',
    'receipt_trade_no',
    'receipt_contact',
    'receipt_test',
    'receipt_back',
  ] as const),
  ...(['balance_advice_top_up', 'top_up_paid', 'top_up_go_on', 'top_up_soon'] as const),
] as const satisfies readonly MessageKey[];

/** A text that the interactive part of the page may show. */
export type AppKey = Exclude<MessageKey, (typeof serverKeys)[number]>;

/** The texts of one language that the page carries to its script. */
export type AppMessages = Readonly<Record<AppKey, string>>;

/** Texts of pages in a frame, and in a tab beside one. */
const frameKeys = ['embed_tab', 'embed_done', 'tab_close'] as const satisfies readonly AppKey[];

/**
 * The texts without those that only the server renders.
 *
 * @param page whether it is in a frame or beside one, and which texts stand in the place of others, if it leads to a top-up or is
 *   the page of one
 */
export function appMessages(
  messages: Messages,
  page: { framed: boolean; around_top_up: Readonly<Partial<Record<AppKey, MessageKey>>> | null },
): AppMessages {
  const left: ReadonlySet<string> = new Set([
    ...serverKeys,
    ...(page.framed ? [] : frameKeys),
    ...(page.around_top_up === null ? ['top_up_link'] : []),
  ]);
  const instead: Partial<Record<string, MessageKey>> = page.around_top_up ?? {};
  const keys = (Object.keys(messages) as MessageKey[]).filter((key) => !left.has(key));
  return Object.fromEntries(keys.map((key) => [key, messages[instead[key] ?? key]])) as AppMessages;
}

/** Replaces the `{placeholders}` of a text. A placeholder without a value stays visible, so that it is noticed. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
