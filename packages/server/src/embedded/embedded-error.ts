/** The embedded PostgreSQL cannot be used. The message is for the operator and is shown without a stack. */
export class EmbeddedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedError';
  }
}
