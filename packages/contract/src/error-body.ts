/** The body of every error answer, as a schema. */
import Type from 'typebox';
import type { ErrorBody as Body } from './errors.ts';
import { Text } from './scalars.ts';

/** Branch on the HTTP status and on `error` (R-368, D-019). */
export const ErrorAnswer = Type.Object(
  {
    error: Text('What went wrong, as a code to branch on. Codes may be added.'),
    error_description: Text('The same for people. Its wording may change.'),
    field: Type.Optional(Text('The parameter at fault, where it is one.')),
  },
  {
    title: 'ErrorAnswer',
    description: 'The body of every answer that is not a success.',
    examples: [
      {
        error: 'invalid_amount',
        error_description: 'The amount must be a positive decimal string within the allowed range.',
        field: 'amount',
      } satisfies Body,
    ],
  },
);
