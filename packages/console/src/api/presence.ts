/**
 * Step-up: where the service demands a proof of presence, asks the person for one and repeats the write. Invariant: calls
 * that are refused at the same time share one question, and each is repeated once.
 */

/** Asks the person; resolves to whether the proof was accepted. */
type Ask = () => Promise<boolean>;

let ask: Ask = () => Promise.resolve(false);
let question: Promise<boolean> | null = null;

/** Sets who asks: the dialog, which is always on the page. */
export function setPresenceQuestion(next: Ask): void {
  ask = next;
}

/** Sends a request, and sends it again if the service wanted a proof of presence and got it. */
export async function withPresence(send: () => Promise<Response>): Promise<Response> {
  const response = await send();
  if (response.status !== 403 || (await codeOf(response)) !== 'reauthentication_required') return response;
  question ??= ask().finally(() => {
    question = null;
  });
  return (await question) ? send() : response;
}

/** The error code of an answer, whose body can still be read afterwards. */
async function codeOf(response: Response): Promise<unknown> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
}
