/** The address of a program that asks the token endpoint, for the storage from which the library reads clients. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** A program that authenticates as a client. */
export interface Program {
  /** Its full address. */
  address: string;
  /** Called when the client may not be used from this address. */
  onRefused: (client_id: string) => void;
}

/**
 * Set while a program authenticates as a client. A person's browser that opens the authorization page is not a client, so
 * nothing is set for it.
 */
export const callingProgram = new AsyncLocalStorage<Program>();
