import type { IncomingMessage } from 'node:http';

/** Who is signed in in the browser that sent a request. */
export interface Visitor {
  user_id: string;
  name: string;
  signed_in_at: Date;
}

const visitors = new WeakMap<IncomingMessage, Visitor | null>();

/** Notes who sent a request, for the library, which asks on its way through it. */
export function setVisitor(request: IncomingMessage, visitor: Visitor | null): void {
  visitors.set(request, visitor);
}

export const visitorOf = (request: IncomingMessage): Visitor | null => visitors.get(request) ?? null;
