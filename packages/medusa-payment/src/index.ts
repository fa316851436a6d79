/** Payments by Paydesk for Medusa 2. */
import { PaydeskPaymentProvider } from './provider.ts';

export type { PaydeskOptions } from './options.ts';
export { PaydeskPaymentProvider } from './provider.ts';

/** What Medusa loads of a provider's package. Named, as a default export of CommonJS is `{default}` to some importers. */
export const services = [PaydeskPaymentProvider];
