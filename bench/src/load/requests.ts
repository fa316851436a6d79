import { filled, type LoadPlan } from './plan.ts';

/** All requests of a plan, as they are sent, made before the first is so that making them costs the run nothing. */
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
  /** 0 where there is none. */
  status: number;
  /** Its body, or why there is none. */
  text: string;
}
