/**
 * The result of a start. `pending` becomes a 202: the provider has not given a clear answer, and the method stays
 * locked (R-202, R-233, D-094). It is not a success. A refusal and a mismatch are errors (R-203, R-217, D-104).
 */
export type StartResult = { kind: 'redirect'; redirect_url: string } | { kind: 'paid' } | { kind: 'pending' };
