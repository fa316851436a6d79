/** Errors that a command shows as one sentence, without a stack. */

/** The command failed. Exit code 1. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** The command was called wrongly. Exit code 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What reads the output of the command has ended, as `head` does (D-645, D-1361). Exit code 141, without a word. */
export class EndedReaderError extends Error {}
