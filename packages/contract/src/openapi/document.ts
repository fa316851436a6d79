/** Builds the two OpenAPI documents from the lists of calls. */
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
import { viewOperations } from './console/view-operations.ts';
import { consoleLinkOperations } from './console/link-operations.ts';
import { consoleExportOperations } from './console/export-operations.ts';
import { consoleStatementOperations } from './console/statement-operations.ts';
import { consolePeopleOperations } from './console/people-operations.ts';
import { consoleProductOperations } from './console/product-operations.ts';
import { consoleRequestOperations } from './console/request-operations.ts';
import { withCsv } from './csv-operation.ts';
import { headers } from './headers.ts';
import type { OpenApiDocument, OperationObject, ParameterObject, PathItem } from './model.ts';
import { notificationOperations } from './public/notification-operations.ts';
import { adminTag, type Operation, type Parameter, tags } from './operation.ts';
import { responsesOf, schemaName } from './responses.ts';
import { adminSecuritySchemes, requirementOf, securitySchemes } from './security.ts';
import { sessionOperations } from './public/session-operations.ts';
import { tokenOperations } from './public/token-operations.ts';
import { webhookName, webhookOperation } from './public/webhook.ts';

/**
 * The addresses of the service. The two endpoints are configured separately from the base address (R-001,
 *
 */
export interface Addresses {
  base_url: string;
  token_endpoint: string;
  userinfo_endpoint: string;
}

/**
 * Every call of the public document. To add a group of calls, add its list here and its tag in operation.ts.
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
    ...viewOperations,
    ...consoleProductOperations,
    ...consoleCatalogOperations,
    ...consoleLinkOperations,
    ...consoleStatementOperations,
    ...consoleExportOperations,
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

/** The OpenAPI 3.1 document of version 1 of the public interface, which only grows (R-020, D-025). */
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
      contact: contactOf(addresses),
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

/** No call of the administration sets a cookie. */
const { 'Set-Cookie': _, ...answeredHeaders } = headers;

/**
 * The OpenAPI 3.1 document of the administration API. It is separate because merchants cannot use these
 * calls.
 */
export function adminOpenapi(addresses: Addresses): OpenApiDocument {
  const components = collectComponents();
  const paths = pathsOf(adminOperations, addresses, components);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Paydesk administration',
      version: '1',
      summary: 'Settings, lists and decisions for administrators.',
      description: adminTag.description,
      contact: contactOf(addresses),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: addresses.base_url, description: 'The base address.' }],
    tags: [adminTag],
    paths,
    webhooks: {},
    components: {
      schemas: components.schemas,
      headers: answeredHeaders,
      securitySchemes: adminSecuritySchemes(securitySchemes(addresses.token_endpoint)),
    },
  };
}

/** The documentation that this installation serves: Spectral asks for a contact, as Redocly does for a license (D-241). */
const contactOf = ({ base_url }: Addresses) => ({ name: 'Documentation', url: `${base_url}/docs` });

/** The path below the base address, or a path with its own server: user information may have one (D-1045). */
function locate({ place }: Operation, addresses: Addresses): { path: string; servers?: PathItem['servers'] } {
  if ('path' in place) return { path: place.path };
  const { base_url } = addresses;
  const endpoint = addresses[place.at];
  if (endpoint.startsWith(`${base_url}/`)) return { path: endpoint.slice(base_url.length) };
  const { origin, pathname } = new URL(endpoint);
  return { path: pathname, servers: [{ url: origin }] };
}

const parameterOf = (parameter: Parameter, id: string, components: Components): ParameterObject => ({
  ...parameter,
  schema: components.use(parameter.schema, schemaName(id) + schemaName(parameter.name)),
});

function operationObject(operation: Operation, components: Components): OperationObject {
  const { id, tag, summary, description, parameters, body, limits } = operation;
  const { examples = [] }: { examples?: readonly unknown[] } = body?.schema ?? {};
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: requirementOf(operation.security),
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((one) => parameterOf(one, id, components)) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: {
              [body.type]: {
                schema: components.use(body.schema, schemaName(id)),
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
    `All paths below are appended to the base address \`${base_url}\`. Access tokens come from ` +
      `\`${token_endpoint}\`, information about a person from \`${userinfo_endpoint}\`.`,
    'Bodies are JSON in UTF-8 without an envelope. Send a request body as `Content-Type: application/json`, at ' +
      'most 64 KiB, with no member twice. The service ignores unknown members. Answers can get new members, so ' +
      'ignore members that you do not know.',
    'Amounts are decimal strings or whole numbers of minor units, never binary fractions. Compare them as decimal ' +
      'numbers together with their currency. Amounts in PTK whose names end in `_ptk` are whole numbers of the ' +
      'eighth decimal, written as strings. Times are RFC 3339. Identifiers are opaque strings.',
    'Every error contains a code, `error`. Branch on the HTTP status and on this code. With 429 and 503, wait the ' +
      'seconds in `Retry-After`. If a write got no answer, repeat it with the same key.',
    'A rate limit counts requests in a window that begins with the first request. It applies to a client, ' +
      'regardless of its number of tokens.',
  ].join('\n\n');
