/**
 * The parts of Medusa that this package uses, so that it compiles without it: it is far too large for this workspace.
 * `npm run test:shops -- medusa` compiles the same sources against the real one.
 */
declare module '@medusajs/framework/utils' {
  type Data = Record<string, unknown>;
  interface ProviderInput {
    data?: Data;
  }
  interface AmountInput extends ProviderInput {
    amount: unknown;
    currency_code: string;
  }
  type SessionStatus = 'authorized' | 'captured' | 'pending' | 'error' | 'canceled' | 'requires_more';
  export abstract class AbstractPaymentProvider<Options = Data> {
    static identifier: string;
    static validateOptions(options: Data): void;
    protected readonly container: Record<string, unknown>;
    constructor(container: Record<string, unknown>, options?: Options);
    abstract initiatePayment(input: AmountInput): Promise<{ id: string; data?: Data }>;
    abstract updatePayment(input: AmountInput): Promise<{ data?: Data }>;
    abstract deletePayment(input: ProviderInput): Promise<{ data?: Data }>;
    abstract authorizePayment(input: ProviderInput): Promise<{ status: SessionStatus; data?: Data }>;
    abstract capturePayment(input: ProviderInput): Promise<{ data?: Data }>;
    abstract refundPayment(input: ProviderInput & { amount: unknown }): Promise<{ data?: Data }>;
    abstract retrievePayment(input: ProviderInput): Promise<{ data?: Data }>;
    abstract cancelPayment(input: ProviderInput): Promise<{ data?: Data }>;
    abstract getPaymentStatus(input: ProviderInput): Promise<{ status: SessionStatus }>;
    abstract getWebhookActionAndData(payload: {
      rawData: string | Uint8Array;
      headers: Record<string, unknown>;
    }): Promise<{ action: 'not_supported' }>;
  }
  export class MedusaError extends Error {
    static readonly Types: { readonly NOT_ALLOWED: string; readonly INVALID_DATA: string };
    constructor(type: string, message: string);
  }
  export const Modules: {
    readonly PAYMENT: 'payment';
    readonly LOCKING: 'locking';
    readonly NOTIFICATION: 'notification';
  };
  export const ContainerRegistrationKeys: { readonly QUERY: 'query'; readonly LOGGER: 'logger' };
}

declare module '@medusajs/framework/http' {
  import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

  export interface MedusaRequest {
    scope: MedusaContainer;
    params: Record<string, string>;
    headers: IncomingHttpHeaders;
    body: unknown;
    rawBody?: unknown;
  }
  export interface MedusaResponse extends ServerResponse {
    sendStatus(status: number): this;
  }
  export interface MedusaContainer {
    // As Medusa declares it.
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
    resolve<T>(name: string): T;
  }
}

declare module '@medusajs/medusa/core-flows' {
  import type { MedusaContainer } from '@medusajs/framework/http';

  type Workflow<Input> = (container: MedusaContainer) => {
    run(call: { input: Input }): Promise<{ result: unknown }>;
  };
  export const completeCartWorkflow: Workflow<{ id: string }>;
  export const createPaymentSessionsWorkflow: Workflow<{
    payment_collection_id: string;
    provider_id: string;
  }>;
  export const refundPaymentWorkflow: Workflow<{ payment_id: string; amount: string; note: string }>;
}
