/** Breaks a long answer off once the access of its caller has ended (D-1077). */

/** How to ask again whether a call is allowed. */
const admissions = new WeakMap<object, () => Promise<void>>();
/** How long an answer may go on before it is asked again. */
const asksAfter_ms = 1_000;

/** Stores how to ask again whether a call is allowed. */
export function rememberAdmission(request: object, admit: () => Promise<void>): void {
  admissions.set(request, admit);
}

/**
 * The parts of a long answer. If the caller takes them slowly and the access has ended meanwhile, this throws what the
 * question throws, and the answer breaks off.
 */
export async function* whileAllowed<T>(request: object, parts: AsyncIterable<T>): AsyncGenerator<T> {
  let asked_at = performance.now();
  for await (const part of parts) {
    yield part;
    if (performance.now() - asked_at < asksAfter_ms) continue;
    await admissions.get(request)?.();
    asked_at = performance.now();
  }
}
