/** The plug-in: payment method, address of notifications, and shop API. */
import { PluginCommonModule, VendurePlugin } from '@vendure/core';
import { PaydeskBooks } from './books.ts';
import { paydeskPaymentHandler } from './handler.ts';
import { NotificationsController } from './notifications.controller.ts';
import { PaydeskService } from './paydesk.service.ts';
import { keepRawBody } from './raw-body.ts';
import { PaydeskShopResolver, shopSchema } from './shop-api.ts';

/** Add it to `plugins` of the Vendure configuration. Everything else is set in the payment method. */
@VendurePlugin({
  imports: [PluginCommonModule],
  providers: [PaydeskBooks, PaydeskService],
  controllers: [NotificationsController],
  compatibility: '^3.0.0',
  shopApiExtensions: { schema: shopSchema, resolvers: [PaydeskShopResolver] },
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(paydeskPaymentHandler);
    config.apiOptions.middleware.push({
      route: '/payments/paydesk',
      handler: keepRawBody,
      beforeListen: true,
    });
    return config;
  },
})
// Vendure wants a class.
// oxlint-disable-next-line typescript/no-extraneous-class
export class PaydeskPlugin {}
