/** What is to be undone at the end, whatever happens before. */
export interface Cleanup {
  /** Remembers how to undo what was just done. */
  add(what: string, undo: () => Promise<void>): void;
  /** Undoes everything, last first. Gives what could not be undone. */
  run(): Promise<string[]>;
}

export function createCleanup(): Cleanup {
  const steps: { what: string; undo: () => Promise<void> }[] = [];
  return {
    add(what, undo) {
      steps.push({ what, undo });
    },
    async run() {
      const failures: string[] = [];
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        try {
          await step.undo();
        } catch (error) {
          failures.push(`${step.what}: ${(error as Error).message}`);
        }
      }
      return failures;
    },
  };
}
