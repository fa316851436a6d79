/** The address to which Paydesk sends notifications. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { Logger, RequestContextService } from '@vendure/core';
import { verifyNotification } from '@paydesk/sdk';
import { PaydeskService } from './paydesk.service.ts';
import type { WithRawBody } from './raw-body.ts';

@Controller('payments/paydesk')
export class NotificationsController {
  readonly #contexts: RequestContextService;
  readonly #paydesk: PaydeskService;

  constructor(
    @Inject(RequestContextService) contexts: RequestContextService,
    @Inject(PaydeskService) paydesk: PaydeskService,
  ) {
    this.#contexts = contexts;
    this.#paydesk = paydesk;
  }

  /**
   * Answers 204 once the state is in the books, or belongs to no order of this shop, as that of a test event; 400 to what Paydesk did not sign. Any
   * other answer makes Paydesk send the notification again.
   */
  @Post(':channelToken/:method')
  async receive(
    @Param('channelToken') channelToken: string,
    @Param('method') method: string,
    @Req() request: IncomingMessage & WithRawBody,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const answer = (status: number): void => void response.writeHead(status).end();
    try {
      const ctx = await this.#contexts.create({ apiType: 'admin', channelOrToken: channelToken });
      const settings = await this.#paydesk.settingsOf(ctx, method);
      const { headers, rawBody: raw_body = new Uint8Array() } = request;
      const result = verifyNotification({ headers, raw_body, secrets: settings.notify_secrets });
      if (!result.ok) {
        Logger.warn(`refused a notification: ${result.reason} (${result.detail})`, 'Paydesk');
        answer(400);
        return;
      }
      await this.#paydesk.receive(ctx, method, settings, result.notification);
      answer(204);
    } catch (error) {
      Logger.error(
        `a notification for ${method} could not be taken in: ${(error as Error).message}`,
        'Paydesk',
        (error as Error).stack,
      );
      answer(500);
    }
  }
}
