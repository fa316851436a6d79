/** The address of a program that asks the token endpoint, for the storage from which the library reads clients. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { restingStorage } from '../../base/context/resting-storage.ts';

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
const programs = new AsyncLocalStorage<Program>();
const rest = restingStorage(programs);

export const callingProgram = (): Program | undefined => programs.getStore();

/** Runs `work`, and all that it starts until it has ended, for a program. */
export async function runForProgram<T>(program: Program, work: () => Promise<T>): Promise<T> {
  const end = rest.hold();
  try {
    return await programs.run(program, work);
  } finally {
    end();
  }
}
