/** The adapter to the card provider: its sessions, payments, refunds, disputes and webhooks, in our terms. */
export type { Lookup } from './card-client.ts';
export { isCountedByCards } from './card-decimals.ts';
export type { CardDispute, CardRefund, DisputeNews } from './card-losses.ts';
export { type CardProvider, createCardProvider } from './card-provider.ts';
export type { ListedEvent, ListedSession } from './card-records.ts';
export {
  type CardSession,
  type CatalogRecovery,
  type CollectionRecovery,
  type OrderRecovery,
  providerLocale,
  tradeNo,
} from './card-sessions.ts';
export type { PaidWith } from './paid-with.ts';
export { isProviderName } from './card-webhooks.ts';
