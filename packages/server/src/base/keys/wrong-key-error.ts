/** The secret keys do not belong to this database. The message is one sentence for the operator. */
export class WrongKeyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WrongKeyError';
  }
}
