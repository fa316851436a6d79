import { adminOperations } from './admin/operations.ts';
import { catalogOperations } from './public/catalog-operations.ts';
import { catalogOrderOperations } from './public/catalog-order-operations.ts';
import { checkoutOperations } from './public/checkout-operations.ts';
import { collectionOperations } from './public/collection-operations.ts';
import { collectComponents, type Components } from './components.ts';
import { consoleCatalogOperations } from './console/catalog-operations.ts';
import { consoleClientOperations } from './console/client-operations.ts';
import { consoleOperations } from './console/notification-operations.ts';
import { consoleOrderOperations } from './console/order-operations.ts';
import { consolePeopleOperations } from './console/people-operations.ts';
import { consoleProductOperations } from './console/product-operations.ts';
import { consoleRequestOperations } from './console/request-operations.ts';
import { withCsv } from './csv-operation.ts';
import { headers } from './headers.ts';
import type { OpenApiDocument, OperationObject, PathItem } from './model.ts';
import { notificationOperations } from './public/notification-operations.ts';
import { adminTag, type Operation, tags } from './operation.ts';
import { responsesOf } from './responses.ts';
import { adminSecuritySchemes, requirementOf, securitySchemes } from './security.ts';
import { sessionOperations } from './public/session-operations.ts';
import { tokenOperations } from './public/token-operations.ts';
import { webhookName, webhookOperation } from './public/webhook.ts';

/** Where the service is reached; the endpoints are assigned apart from the base address. */
export interface Addresses {
  base_url: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

/**
 * Every call that the document shows. Whoever adds a surface adds its list here and its tag in operation.ts; the
 * document, the reference page and their tests follow.
 */
export const operations: readonly Operation[] = withCsv(
  [
    ...tokenOperations,
    ...collectionOperations,
    ...catalogOperations,
    ...catalogOrderOperations,
    ...notificationOperations,
    ...checkoutOperations,
    ...sessionOperations,
    ...consoleOrderOperations,
    ...consoleProductOperations,
    ...consoleCatalogOperations,
    ...consolePeopleOperations,
    ...consoleOperations,
    ...consoleClientOperations,
    ...consoleRequestOperations,
  ],
  [
    'listConsoleOrders',
    'readWalletStatement',
    'listNotificationRecords',
    'listCatalogOrders',
    'listOwnProducts',
  ],
);

/** The description of the service's interface for machines: OpenAPI 3.1. */
export function openapi(addresses: Addresses): OpenApiDocument {
  const components = collectComponents();
  const paths = pathsOf(operations, addresses, components);
  const webhooks = { [webhookName]: { post: webhookOperation(components) } };
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Paydesk',
      version: '1',
      summary: 'Collection orders, hosted checkout and signed notifications.',
      description: introduction(addresses),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: addresses.base_url, description: 'The base address.' }],
    tags,
    paths,
    webhooks,
    components: {
      schemas: components.schemas,
      headers,
      securitySchemes: securitySchemes(addresses.token_endpoint),
    },
  };
}

function pathsOf(
  calls: readonly Operation[],
  addresses: Addresses,
  components: Components,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const operation of calls) {
    const { path, servers } = locate(operation, addresses);
    const item = (paths[path] ??= servers === undefined ? {} : { servers });
    item[operation.method] = operationObject(operation, components);
  }
  return paths;
}

/** The same for the administration API, which is nothing for merchants: a document of its own. */
export function adminOpenapi(addresses: Addresses): OpenApiDocument {
  const components = collectComponents();
  const paths = pathsOf(adminOperations, addresses, components);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Paydesk administration',
      version: '1',
      summary: 'What operators set, look at and decide.',
      description: adminTag.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: addresses.base_url, description: 'The base address.' }],
    tags: [adminTag],
    paths,
    webhooks: {},
    components: {
      schemas: components.schemas,
      headers,
      securitySchemes: adminSecuritySchemes(securitySchemes(addresses.token_endpoint)),
    },
  };
}

/** A path below the base address, or one under a server of its own. */
function locate(
  { place }: Operation,
  { base_url, token_endpoint }: Addresses,
): { path: string; servers?: PathItem['servers'] } {
  if ('path' in place) return { path: place.path };
  if (token_endpoint.startsWith(`${base_url}/`)) return { path: token_endpoint.slice(base_url.length) };
  const { origin, pathname } = new URL(token_endpoint);
  return { path: pathname, servers: [{ url: origin }] };
}

function operationObject(operation: Operation, components: Components): OperationObject {
  const { id, tag, summary, description, parameters, body, limits } = operation;
  const examples = (body?.schema as { examples?: readonly unknown[] } | undefined)?.examples ?? [];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: requirementOf(operation.security),
    ...(parameters === undefined ? {} : { parameters: parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: {
              [body.type]: {
                schema: components.use(body.schema),
                ...(examples.length === 0 ? {} : { example: examples[0] }),
              },
            },
          },
        }),
    responses: responsesOf(operation, components),
    ...(limits.length === 0 ? {} : { 'x-rate-limits': limits }),
  };
}

const introduction = ({ base_url, token_endpoint, userinfo_endpoint }: Addresses): string =>
  [
    `Every address below is appended to the base address \`${base_url}\`. Access tokens come from ` +
      `\`${token_endpoint}\`; \`${userinfo_endpoint}\` is set aside for user information.`,
    'Bodies are JSON in UTF-8, without an envelope around them. A request body is at most 64 KiB, names no member ' +
      'twice, and is sent as `Content-Type: application/json`. Members that the service does not know are ignored; ' +
      'answers may gain members, so ignore what you do not know as well.',
    'Amounts are decimal texts or whole numbers of minor units, never fractions in binary: compare them as decimal ' +
      'numbers together with their currency. Amounts in PTK whose names end in `_ptk` are whole numbers of the ' +
      'eighth decimal, written as texts. Times are RFC 3339. Identifiers are opaque texts.',
    'Every error carries `error`, a code: branch on the HTTP status and on it. 429 and 503 say in `Retry-After` how ' +
      'many seconds to wait. Writes that got no answer can be repeated with the same key.',
    'A limit counts in a window that begins with the first request. It holds for a client, whatever its number of ' +
      'tokens.',
  ].join('\n\n');
