/** Ways to pay: the stored channels, their fees, and the adapter to the card provider. */
export type { Lookup } from './card-client.ts';
export type { CardDispute, CardRefund, DisputeNews } from './card-losses.ts';
export type { ListedEvent, ListedSession } from './card-records.ts';
export { isCountedByCards } from './card-decimals.ts';
export { type CardProvider, createCardProvider } from './card.ts';
export {
  type CardSession,
  type CatalogRecovery,
  type CollectionRecovery,
  type OrderRecovery,
  type PaidWith,
  providerLocale,
  tradeNo,
} from './card-sessions.ts';
export { rulesFrom, rulesToStore, selectChannel, selectChannels, selectChannelsFor } from './channel.sql.ts';
export {
  type Channel,
  type FeeRule,
  type FeeRules,
  type Provider,
  hostedPageOrigin,
  ownerOf,
} from './channel.ts';
export { directoryOf, isConfigured, servesMerchant } from './directory.ts';
export { grantsBuyer, grantsMerchant } from './debug-grants.ts';
export { methodNeedsLogin } from './login-required.ts';
export { isProviderName } from './card-webhooks.ts';
export { daysUntilDecided, methodTypesFor, typesForProvider } from './method-types.ts';
export { type Channels, createChannels } from './cached-channels.ts';
export { createChannel, updateChannel } from './save-channel.ts';
