/** The database schema does not fit this build. The message is one sentence for the operator. */
export class SchemaError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SchemaError';
  }
}
