/** The result of a start. `pending` becomes a 202: the provider has not given a clear answer (R-233, D-094). */
export type StartResult = { kind: 'redirect'; redirect_url: string } | { kind: 'paid' } | { kind: 'pending' };
