/** A request of the list as a shell command. It has no secrets: those are shell variables, and bodies are not kept. */
import { verbatim } from '../../texts/texts.ts';

export interface CurlRequest {
  method: string;
  path: string;
}

/** @param origin scheme, host and path prefix of the service */
export function curlOf(origin: string, { method, path }: CurlRequest): string {
  const lines = [`curl -X ${method} ${quoted(origin + path)}`];
  if (path === '/oauth/token') {
    lines.push(`-u "$CLIENT_ID:$CLIENT_SECRET"`, `-d 'grant_type=client_credentials'`);
  } else {
    lines.push(verbatim(`-H "Authorization: Bearer $ACCESS_TOKEN"`));
    if (['POST', 'PUT', 'PATCH'].includes(method)) {
      lines.push(verbatim(`-H 'Content-Type: application/json'`), '--data @request.json');
    }
  }
  return lines.join(' \\\n  ');
}

/** As one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
