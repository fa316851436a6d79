/** Where all callers wait while the service is down. */
export class Door {
  #isOpen = false;
  #failure: Error | null = null;
  #waiting: { pass: () => void; turnAway: (why: Error) => void }[] = [];

  open(): void {
    this.#isOpen = true;
    for (const { pass } of this.#waiting.splice(0)) pass();
  }

  close(): void {
    this.#isOpen = false;
  }

  /** The run has failed: everyone who waits or comes later is refused. */
  fail(why: Error): void {
    this.#failure = why;
    for (const { turnAway } of this.#waiting.splice(0)) turnAway(why);
  }

  /** Ends when the door is open; throws where it never opens again. */
  async passed(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    if (this.#isOpen) return;
    await new Promise<void>((pass, turnAway) => this.#waiting.push({ pass, turnAway }));
  }
}
