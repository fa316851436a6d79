import type { Dispatcher } from 'undici';
import { filled, type LoadPlan } from './plan.ts';

/** A request as the connection takes it. */
export type Request = Dispatcher.DispatchOptions;

/** All requests of a plan, made before the first is sent so that making them costs the run nothing. */
export function requestsOf({ template, rows }: LoadPlan): Request[] {
  const { method, path, headers = {}, body } = template;
  const names = Object.entries(headers);
  return rows.map((row) => ({
    method,
    path: filled(path, row),
    headers: names.flatMap(([name, value]) => [name, filled(value, row)]),
    ...(body === undefined ? {} : { body: filled(body, row) }),
  }));
}

export interface Answer {
  status: number;
  text: string;
}

/** Sends one request; `status` 0 and the reason where there is no answer. */
export function send(client: Dispatcher, request: Request): Promise<Answer> {
  return new Promise((resolve) => {
    const answer: Answer = { status: 0, text: '' };
    const chunks: Buffer[] = [];
    client.dispatch(request, {
      // Does nothing, but tells the library which kind of handler this is.
      onRequestStart: () => undefined,
      onResponseStart(_controller, status) {
        answer.status = status;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        answer.text = Buffer.concat(chunks).toString();
        resolve(answer);
      },
      onResponseError(_controller, error) {
        resolve({ status: 0, text: error.message });
      },
    });
  });
}
