/** Types for the part of OpenAPI 3.1 that the documents use. Schemas are JSON Schema (2020-12). */

export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  'x-min-bytes'?: number;
  'x-max-bytes'?: number;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  examples?: readonly unknown[];
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: string;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface HeaderObject {
  description: string;
  schema: JsonSchema;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, HeaderObject | { $ref: string }>;
  content?: Record<string, MediaType>;
}

/** A rate limit. It is an extension, because OpenAPI does not define rate limits. */
export interface RateLimitObject {
  group: string;
  requests: number;
  window_s: number;
  per: string;
  counts?: string;
}

export interface OperationObject {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  security: readonly Record<string, readonly string[]>[];
  parameters?: readonly ParameterObject[];
  requestBody?: { required: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
  'x-rate-limits'?: readonly RateLimitObject[];
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type PathItem = { servers?: readonly { url: string; description?: string }[] } & {
  [method in (typeof methods)[number]]?: OperationObject;
};

interface OauthFlow {
  tokenUrl: string;
  scopes: Record<string, string>;
}

export interface SecurityScheme {
  type: 'oauth2' | 'http' | 'apiKey';
  description: string;
  scheme?: string;
  in?: 'header' | 'cookie' | 'query';
  name?: string;
  flows?: {
    clientCredentials?: OauthFlow;
    authorizationCode?: OauthFlow & { authorizationUrl: string };
  };
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  jsonSchemaDialect: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string; url: string };
    license: { name: string; identifier: string };
  };
  servers: readonly { url: string; description: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, HeaderObject>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}
