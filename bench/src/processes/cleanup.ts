/** The steps that undo everything at the end, also after an error. */
export interface Cleanup {
  /** Adds a step that undoes what was just done. */
  add(what: string, undo: () => Promise<void>): void;
  /** Undoes everything, last step first. Returns the steps that failed. */
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
