/**
 * The reason why a benchmark cannot run, in one sentence for the user. The program prints it without a stack.
 */
export class BenchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BenchError';
  }
}
