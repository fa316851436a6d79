/** The body of every error answer, as a schema. */
import Type from 'typebox';
import type { ErrorBody as Body } from './errors.ts';
import { Text } from './scalars.ts';

/** Branch on the HTTP status and on `error` (R-368, D-019). An error about a parameter names it in `field`. */
export const ErrorAnswer = Type.Object(
  {
    error: Text('The error code. Branch on it. New codes can be added.'),
    error_description: Text('A description for people. Its wording can change.'),
    field: Type.Optional(Text('The parameter that caused the error, if there is one.')),
  },
  {
    title: 'ErrorAnswer',
    description: 'The body of every error answer.',
    examples: [
      {
        error: 'invalid_amount',
        error_description: 'The amount must be a positive decimal string within the allowed range.',
        field: 'amount',
      } satisfies Body,
    ],
  },
);
