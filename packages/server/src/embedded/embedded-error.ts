/** Why the embedded PostgreSQL cannot be used; the message is for the operator, without a stack. */
export class EmbeddedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedError';
  }
}
