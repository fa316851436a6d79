import { Counter, type Registry } from 'prom-client';

/** What became of the webhooks that reached this process. */
export type WebhookOutcome = 'stored' | 'refused' | 'unknown_channel' | 'failed';

export interface WebhookMetrics {
  countReceived(outcome: WebhookOutcome): void;
  /** Shows the figure where Prometheus looks. */
  register(registry: Registry): void;
}

/** All that is kept of a webhook that is refused is that it came: its sender is nobody. */
export function webhookMetrics(): WebhookMetrics {
  const webhooks = new Counter({
    name: 'paydesk_card_webhooks_total',
    help: 'Webhooks of card providers that reached this process, by what became of them.',
    labelNames: ['outcome'],
    registers: [],
  });
  return {
    countReceived: (outcome) => {
      webhooks.inc({ outcome });
    },
    register: (registry) => {
      registry.registerMetric(webhooks);
    },
  };
}
