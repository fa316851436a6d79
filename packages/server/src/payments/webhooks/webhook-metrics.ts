/** Counts received webhooks for Prometheus. */
import { Counter, type Registry } from 'prom-client';

const outcomes = ['stored', 'refused', 'unknown_channel', 'failed'] as const;
export type WebhookOutcome = (typeof outcomes)[number];

export interface WebhookMetrics {
  countReceived(outcome: WebhookOutcome): void;
  /** Adds the counter to the registry that Prometheus reads. */
  register(registry: Registry): void;
}

/** A refused webhook is only counted, because its sender is unknown. */
export function webhookMetrics(): WebhookMetrics {
  const webhooks = new Counter({
    name: 'paydesk_card_webhooks_total',
    help: 'Webhooks of card providers that this process received, by outcome.',
    labelNames: ['outcome'],
    registers: [],
  });
  // D-1371
  for (const outcome of outcomes) webhooks.inc({ outcome }, 0);
  return {
    countReceived: (outcome) => {
      webhooks.inc({ outcome });
    },
    register: (registry) => {
      registry.registerMetric(webhooks);
    },
  };
}
