/**
 * The parts of Vendure, NestJS and GraphQL that this package uses, so that it compiles without them: they are far too large
 * for this workspace. `npm run test:shops -- vendure` compiles the same sources against the real ones.
 */
declare module '@vendure/core' {
  type ID = string | number;
  type Type<T> = abstract new (...args: never[]) => T;
  export type PaymentMetadata = Record<string, unknown>;
  export class RequestContext {
    readonly apiType: 'admin' | 'shop' | 'custom';
  }
  export class Refund {
    id: ID;
    total: number;
    state: string;
  }
  export class Payment {
    id: ID;
    amount: number;
    state: string;
    method: string;
    transactionId: string;
    metadata: PaymentMetadata;
    refunds: Refund[];
  }
  export class Order {
    id: ID;
    code: string;
    state: string;
    totalWithTax: number;
    currencyCode: string;
    payments: Payment[];
  }
  interface ConfigArg {
    name: string;
    value: string;
  }
  interface PaymentMethod {
    code: string;
    handler: { code: string; args: ConfigArg[] };
  }
  interface RefundOrderInput {
    paymentId: ID;
    amount?: number;
    reason?: string;
    lines?: { orderLineId: ID; quantity: number }[];
    shipping?: number;
    adjustment?: number;
  }
  interface ArgDefinition {
    type: 'string' | 'int' | 'boolean';
    required?: boolean;
    defaultValue?: string | number | boolean;
    label?: { languageCode: LanguageCode; value: string }[];
    description?: { languageCode: LanguageCode; value: string }[];
    ui?: { component: string; min?: number; max?: number };
  }
  export class PaymentMethodHandler {
    readonly code: string;
    constructor(options: {
      code: string;
      description: { languageCode: LanguageCode; value: string }[];
      args: Record<string, ArgDefinition>;
      createPayment: (
        ctx: RequestContext,
        order: Order,
        amount: number,
        args: Record<string, unknown>,
        metadata: PaymentMetadata,
      ) => {
        amount: number;
        state: 'Settled' | 'Declined';
        transactionId?: string;
        errorMessage?: string;
        metadata?: PaymentMetadata;
      };
      settlePayment: () => { success: true };
      createRefund: (
        ctx: RequestContext,
        input: RefundOrderInput,
        amount: number,
        order: Order,
        payment: Payment,
      ) => { state: 'Settled'; transactionId?: string; metadata?: PaymentMetadata };
    });
  }
  interface QueryBuilder {
    select(column: string): QueryBuilder;
    where(condition: string, parameters: Record<string, unknown>): QueryBuilder;
    setLock(mode: 'pessimistic_write'): QueryBuilder;
    getRawOne(): Promise<unknown>;
  }
  interface Repository<T> {
    createQueryBuilder(alias: string): QueryBuilder;
    findOneOrFail(options: { where: { id: ID }; relations: string[] }): Promise<T>;
    update(id: ID, values: object): Promise<unknown>;
  }
  export class TransactionalConnection {
    getRepository<T>(ctx: RequestContext, entity: Type<T>): Repository<T>;
    withTransaction<T>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<T>): Promise<T>;
  }
  interface ErrorResult {
    readonly errorCode: string;
    readonly message: string;
  }
  export function isGraphQlErrorResult(input: unknown): input is ErrorResult;
  export class OrderService {
    findOneByCode(ctx: RequestContext, code: string): Promise<Order | undefined>;
    transitionToState(ctx: RequestContext, id: ID, state: 'ArrangingPayment'): Promise<Order | ErrorResult>;
    addPaymentToOrder(
      ctx: RequestContext,
      id: ID,
      input: { method: string; metadata: PaymentMetadata },
    ): Promise<Order | ErrorResult>;
    refundOrder(ctx: RequestContext, input: RefundOrderInput): Promise<Refund | ErrorResult>;
    addNoteToOrder(ctx: RequestContext, input: { id: ID; note: string; isPublic: boolean }): Promise<Order>;
  }
  export class HistoryService {
    getHistoryForOrder(
      ctx: RequestContext,
      id: ID,
      publicOnly: boolean,
      options?: { filter?: { type?: { eq?: string } } },
    ): Promise<{ items: { data: unknown }[] }>;
  }
  export class PaymentMethodService {
    getMethodAndOperations(
      ctx: RequestContext,
      code: string,
    ): Promise<{ paymentMethod: PaymentMethod; handler: PaymentMethodHandler }>;
  }
  export class RequestContextService {
    create(config: { apiType: 'admin'; channelOrToken: string }): Promise<RequestContext>;
  }
  export class ConfigService {
    readonly entityOptions: { moneyStrategy: { precision?: number } };
  }
  export class ActiveOrderService {
    getActiveOrder(ctx: RequestContext, input: undefined): Promise<Order | undefined>;
  }
  export const Logger: {
    error(message: string, context: string, trace?: string): void;
    warn(message: string, context: string): void;
  };
  export class UserInputError extends Error {
    constructor(message: string);
  }
  export enum LanguageCode {
    en = 'en',
  }
  export enum Permission {
    Owner = 'Owner',
    Public = 'Public',
  }
  export function Allow(...permissions: Permission[]): MethodDecorator;
  export function Ctx(): ParameterDecorator;
  export const PluginCommonModule: Type<object>;
  interface RuntimeVendureConfig {
    apiOptions: {
      middleware: { route: string; handler: (...args: never[]) => void; beforeListen?: boolean }[];
    };
    paymentOptions: { paymentMethodHandlers: PaymentMethodHandler[] };
  }
  export function VendurePlugin(options: {
    imports: Type<object>[];
    providers: Type<object>[];
    controllers: Type<object>[];
    compatibility: string;
    shopApiExtensions: { schema: unknown; resolvers: Type<object>[] };
    configuration: (config: RuntimeVendureConfig) => RuntimeVendureConfig;
  }): ClassDecorator;
}

declare module '@nestjs/common' {
  export function Inject(token: unknown): ParameterDecorator;
  export function Injectable(): ClassDecorator;
  export function Controller(path: string): ClassDecorator;
  export function Post(path: string): MethodDecorator;
  export function Param(name: string): ParameterDecorator;
  export function Req(): ParameterDecorator;
  export function Res(): ParameterDecorator;
}

declare module '@nestjs/graphql' {
  export function Resolver(): ClassDecorator;
  export function Mutation(): MethodDecorator;
  export function Args(name: string): ParameterDecorator;
}

declare module 'graphql-tag' {
  export function gql(source: string): { readonly kind: 'Document' };
}
