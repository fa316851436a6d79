/** A simulator of a card provider for tests: Stripe Checkout Sessions with faults, a clock and webhooks. */
export { startCardsim, type Cardsim, type CardsimOptions, type WebhookConfig } from './server.ts';
export { fault_modes, type FaultMode } from './simulator/faults.ts';
export { signatureHeader } from './webhooks/signature.ts';
export { formatCardNumber, type TestCard, test_cards } from './page/test-cards.ts';
