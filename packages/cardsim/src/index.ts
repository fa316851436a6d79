/** A card provider to test against: Stripe Checkout Sessions in memory, with faults, a clock and webhooks. */
export { startCardsim, type Cardsim, type CardsimOptions, type WebhookConfig } from './server.ts';
export { signatureHeader } from './webhooks/signature.ts';
