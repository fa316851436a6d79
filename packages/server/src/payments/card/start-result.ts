/** How a start ended; `pending` is the contract's 202: the provider has not said (D-094). */
export type StartResult = { kind: 'redirect'; redirect_url: string } | { kind: 'paid' } | { kind: 'pending' };
