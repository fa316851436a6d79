/** Ways to pay: the stored channels, their fees, and who may use them. */
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
export { daysUntilDecided, methodTypesFor, typesForProvider } from './method-types.ts';
export { type Channels, createChannels } from './cached-channels.ts';
export { createChannel, updateChannel } from './save-channel.ts';
