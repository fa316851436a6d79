/** Passes the signed-in person of a request to the library, which has no parameter for it. */
import type { IncomingMessage } from 'node:http';

/** The person who is signed in in the browser. */
export interface Visitor {
  user_id: string;
  name: string;
  signed_in_at: Date;
}

const visitors = new WeakMap<IncomingMessage, Visitor | null>();

/** Stores the person of a request. Call it before the library gets the request. */
export function setVisitor(request: IncomingMessage, visitor: Visitor | null): void {
  visitors.set(request, visitor);
}

export const visitorOf = (request: IncomingMessage): Visitor | null => visitors.get(request) ?? null;
