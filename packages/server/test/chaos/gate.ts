/** Lets work run in parallel, or one piece alone: a caller who needs to be alone waits until the others have ended. */
export interface Gate {
  beside<T>(work: () => Promise<T>): Promise<T>;
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function openGate(): Gate {
  let inside = 0;
  /** Resolved when no caller is alone or waits to be alone. */
  let free: Promise<void> = Promise.resolve();
  let left = (): void => undefined;
  const leave = (): void => {
    inside--;
    if (inside === 0) left();
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    inside++;
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return {
    async beside(work) {
      await free;
      return run(work);
    },
    async alone(work) {
      let open = (): void => undefined;
      const before = free;
      free = new Promise((resolve) => (open = resolve));
      await before;
      if (inside > 0) await new Promise<void>((resolve) => (left = resolve));
      left = () => undefined;
      try {
        return await run(work);
      } finally {
        open();
      }
    },
  };
}
