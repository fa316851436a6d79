/** Prepares the bytes of requests. */
import { filled, type LoadPlan } from './plan.ts';

/**
 * The bytes of all requests of a plan. They are prepared before the run, so that the run does not include
 * this work.
 */
export function requestsOf({ origin, template, rows }: LoadPlan): Buffer[] {
  const { method, path, headers = {}, body } = template;
  const { host } = new URL(origin);
  const names = Object.entries(headers);
  return rows.map((row) => {
    const content = body === undefined ? '' : filled(body, row);
    const lines = [
      `${method} ${filled(path, row)} HTTP/1.1`,
      `host: ${host}`,
      ...names.map(([name, value]) => `${name}: ${filled(value, row)}`),
      ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(content)}`]),
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
  });
}

export interface Answer {
  /** 0 if there is no answer. */
  status: number;
  /** The body, or the reason why there is no answer. */
  text: string;
}
