/** A simulator of a card provider for tests: Stripe Checkout Sessions with faults, a clock and webhooks. */
export { startCardsim, type Cardsim, type CardsimOptions, type WebhookConfig } from './server.ts';
export { signatureHeader } from './webhooks/signature.ts';
