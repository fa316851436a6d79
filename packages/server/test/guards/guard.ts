/** A place in the sources, and what stands there without the guard. */
export interface Edit {
  /** Below packages/server. */
  file: string;
  /** Found exactly once. */
  text: string;
  instead: string;
}

/** Something without which money could be lost, moved twice or made up. */
export interface Guard {
  name: string;
  /** What it prevents. */
  prevents: string;
  edits: readonly Edit[];
  /** The scene of the simulation that leads to where it is needed; without one, any. */
  scene?: string;
  /**
   * What else prevents the same: taken away alone, this guard is not missed. A guard of its own in this list takes away
   * both, and is.
   */
  behind?: string;
}

/** @throws where a text is not found exactly once: then the guard has moved, and its line here has to follow */
export function without({ name, edits }: Guard, read: (file: string) => string): Map<string, string> {
  const changed = new Map<string, string>();
  for (const { file, text, instead } of edits) {
    const before = changed.get(file) ?? read(file);
    const times = before.split(text).length - 1;
    if (times !== 1) throw new Error(`"${name}": ${file} has its text ${times} times: ${text}`);
    changed.set(
      file,
      before.replace(text, () => instead),
    );
  }
  return changed;
}
