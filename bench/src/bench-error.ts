/** What keeps a benchmark from running, said in a sentence for whoever started it; no stack is shown. */
export class BenchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BenchError';
  }
}
