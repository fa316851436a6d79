import { signIn, type Person } from '../desks/platform.ts';
import type { Answer, Json, TestService } from '../desks/service.ts';

/** The console API of one merchant, as the page of its owner calls it. */
export interface Console {
  get<T = Json>(path: string): Promise<Answer<T>>;
  send<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
}

/** Signs a person in and opens the console of a merchant, which may be another person's. */
export async function consoleOf(service: TestService, person: Person, merchant_no: string): Promise<Console> {
  return consoleWith(service, merchant_no, {
    cookie: await signIn(service, person),
    origin: new URL(service.url).origin,
  });
}

/** The same with these headers and no others. */
export function consoleWith(
  service: TestService,
  merchant_no: string,
  headers: Record<string, string>,
): Console {
  const send = <T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
    service.send<T>(method, `/console/v1/merchants/${merchant_no}${path}`, {
      headers,
      ...(body === undefined ? {} : { body }),
    });
  return { send, get: (path) => send('GET', path) };
}
