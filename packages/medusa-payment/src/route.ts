/** The address to which Paydesk sends notifications: POST /hooks/paydesk/{id of the provider}. */
import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { apply } from './apply-state.ts';
import type { Received } from './provider.ts';

/**
 * Answers 204 once the state is in the books, or belongs to no cart of this shop, as that of a test event; 400 to what Paydesk did not sign. Any other
 * answer makes Paydesk send the notification again. Medusa's own `/hooks/payment` would answer before the work is done.
 */
export async function POST(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { scope, params, headers } = request;
  const logger = scope.resolve<{ error(text: string): void; warn(text: string): void }>(
    ContainerRegistrationKeys.LOGGER,
  );
  const provider_id = `pp_paydesk_${params['provider'] ?? ''}`;
  try {
    const payments = scope.resolve<{ getWebhookActionAndData(event: object): Promise<Received> }>(
      Modules.PAYMENT,
    );
    const rawData = (request.rawBody as Buffer | undefined) ?? new Uint8Array();
    const { order, refused, accept_test_mode } = await payments.getWebhookActionAndData({
      provider: provider_id,
      payload: { data: request.body, rawData, headers },
    });
    if (order === undefined) {
      logger.warn(`Paydesk: refused a notification: ${refused ?? ''}`);
      response.sendStatus(400);
      return;
    }
    if (order !== null) await apply(scope, provider_id, order, { accept_test_mode });
    response.sendStatus(204);
  } catch (error) {
    logger.error(`Paydesk: a notification could not be taken in: ${(error as Error).message}`);
    response.sendStatus(500);
  }
}
