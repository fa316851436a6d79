/** The sections of the API reference: one for each call, webhook and schema. */
import type { JsonSchema, OperationObject, RateLimitObject, ResponseObject } from '@paydesk/contract';
import { type Call, curlOf } from './curl.ts';
import { html, type Html, nothing } from './html.ts';
import { line, prose } from './prose.ts';
import { type Resolve, withExample } from './sample.ts';
import { facts, type Mark, memberList, membersOf, schemaLink, typeOf } from './schema-members.ts';

/** The id of a call on the page. */
export const operationAnchor = ({ operationId }: OperationObject): string => operationId;

/** The section of one call: description, requirements, parameters, example, answers. */
export function operationSection(call: Call & { path: string }, resolve: Resolve): Html {
  const { method, path, operation } = call;
  const id = operationAnchor(operation);
  return html`<section class="call" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><a href="#${id}">${operation.summary}</a></h3>
    <p class="address"><span class="method ${method}">${method}</span> <code>${path}</code></p>
    ${prose(operation.description)} ${needs(operation)} ${parametersOf(operation)}
    ${bodyOf(operation, resolve, 'required')}
    <h4>Example</h4>
    ${code(curlOf({ ...call, operation: withExample(operation, resolve) }))} ${answersOf(operation)}
  </section>`;
}

/** The section of a message to the merchant's server. It has no example of a call. */
export function webhookSection(name: string, operation: OperationObject, resolve: Resolve): Html {
  const id = operationAnchor(operation);
  const [media] = Object.values(operation.requestBody?.content ?? {});
  return html`<section class="call" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><a href="#${id}">${operation.summary}</a></h3>
    <p class="address"><span class="method webhook">webhook</span> <code>${name}</code></p>
    ${prose(operation.description)} ${parametersOf(operation)} ${bodyOf(operation, resolve, 'optional')}
    ${
      media?.example === undefined
        ? nothing
        : html`<h4>Example</h4>
            ${json(media.example)}`
    }
    <h4>Your answer</h4>
    <dl class="members">
      ${Object.entries(operation.responses).map(([status, { description }]) =>
        row(status === 'default' ? 'other' : status, description),
      )}
    </dl>
  </section>`;
}

function needs(operation: OperationObject): Html {
  const lines = [...securityLines(operation), ...(operation['x-rate-limits'] ?? []).map(limitText)];
  return lines.length === 0
    ? nothing
    : html`<ul class="needs">
        ${lines.map((text) => html`<li>${line(text)}</li>`)}
      </ul>`;
}

const securityTexts: Readonly<Record<string, (scopes: readonly string[]) => string>> = {
  merchant_token: (scopes) =>
    `Access token of the client-credentials grant with the scope \`${scopes.join(' ')}\`.`,
  user_token: (scopes) =>
    `Access token that a person has authorized, with the scope \`${scopes.join(' ')}\`.`,
  client_basic: () => 'Credentials of the client, in the form or by HTTP Basic.',
  checkout_token: () => 'Checkout token in `X-Checkout-Token`; the session cookie if a buyer is signed in.',
  session_cookie: () => 'Session cookie.',
  administration_key: () => 'An administration key, or the session of an administrator.',
};

/** Which credentials a call needs. */
export function securityLines({ security: [first = {}, ...others] }: OperationObject): string[] {
  const [scope] = first.merchant_token ?? [];
  if (scope !== undefined && others.some((other) => 'user_token' in other)) {
    return [`Access token of either kind with the scope \`${scope}\`.`];
  }
  return Object.entries(first).map(([scheme, scopes]) => securityTexts[scheme]?.(scopes) ?? scheme);
}

/** The text of a limit, such as `Limit: 60 requests a minute for each client.`, and notes on what is counted. */
export function limitText({ requests, window_s, per, counts }: RateLimitObject): string {
  const window = window_s === 60 ? 'a minute' : `in ${window_s / 60} minutes`;
  return `Limit: ${requests} requests ${window} for each ${per}.${counts === undefined ? '' : ` ${counts}`}`;
}

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function parametersOf({ parameters = [] }: OperationObject): Html {
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    return here.length === 0
      ? []
      : [
          html`<h4>${places[place]}</h4>
            ${memberList(here, 'required')}`,
        ];
  });
  return html`${groups}`;
}

function bodyOf({ requestBody }: OperationObject, resolve: Resolve, mark: Mark): Html {
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (entry === undefined) return nothing;
  const [type, { schema }] = entry;
  const body = resolve(schema);
  return html`<h4>Body <span class="type">${type}, ${typeOf(schema)}</span></h4>
    ${prose(body.description)}${memberList(membersOf(body), mark)}`;
}

function answersOf({ responses }: OperationObject): Html {
  const entries = Object.entries(responses).toSorted(([a], [b]) => a.localeCompare(b));
  const good = entries.filter(([status]) => status.startsWith('2'));
  const bad = entries.filter(([status]) => !status.startsWith('2'));
  return html`<h4>Answers</h4>
    ${good.map(([status, response]) => success(status, response))}
    <details class="errors">
      <summary>Errors</summary>
      <dl class="members">${bad.map(([status, response]) => row(status, response.description))}</dl>
    </details>`;
}

function success(status: string, { description, content = {} }: ResponseObject): Html {
  const [media] = Object.values(content);
  const examples =
    media?.examples === undefined
      ? [media?.example]
      : Object.values(media.examples).map(({ value }) => value);
  const type = media === undefined ? nothing : html`<span class="type">${typeOf(media.schema)}</span>`;
  return html`<p class="answer"><span class="status good">${status}</span> ${line(description)} ${type}</p>
    ${examples.filter((example) => example !== undefined).map(json)}`;
}

/** A status and what it means. */
function row(status: string, description: string): Html {
  return html`<div>
    <dt><span class="status">${status}</span></dt>
    <dd>${prose(description)}</dd>
  </div>`;
}

export const json = (value: unknown): Html => code(JSON.stringify(value, null, 2));

/** A block of code. It can take the focus, so that a keyboard can scroll it. */
const code = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

/** The section of a named schema: its description and members. */
export function schemaSection(name: string, schema: JsonSchema, anchor: string): Html {
  return html`<section class="schema" id="${anchor}" aria-labelledby="${anchor}-title">
    <h3 id="${anchor}-title">${schemaLink(`#/components/schemas/${name}`)}</h3>
    ${prose(schema.description)}${facts(schema)}${memberList(membersOf(schema), 'optional')}
  </section>`;
}
