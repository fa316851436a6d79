/** A role cannot be the service's. The message is one sentence for the operator. */
export class RoleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RoleError';
  }
}
