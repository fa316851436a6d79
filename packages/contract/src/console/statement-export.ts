/** Bodies of the console’s calls about scheduled exports of the wallet’s statement. */
import Type, { type Static } from 'typebox';
import { deliveryErrors } from '../notification.ts';
import { Instant, OneOf, orNull, Text } from '../scalars.ts';

export const exportFrequencies = ['daily', 'weekly', 'monthly'] as const;

/** Why an export was not delivered: as for notifications, and what only an export can meet. */
export const exportErrors = [...deliveryErrors, 'mail_refused', 'not_a_member', 'too_large'] as const;

export const frequency = OneOf(
  exportFrequencies,
  'How often it is sent: each day, each week from Monday to Sunday, or each calendar month.',
);
const with_pdf = Type.Boolean({ description: 'Whether mails have the statement as PDF beside the CSV.' });
const mailedTo = { description: 'The people of the team who get it by mail.' };

/** What a merchant asks for. */
export const StatementExportTerms = Type.Object(
  {
    frequency,
    time_zone: Type.String({
      maxLength: 64,
      description: 'The time zone in which days begin and end, such as `Europe/Berlin`.',
    }),
    with_pdf,
    user_ids: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 20, ...mailedTo }),
    url: orNull(
      Type.String({
        maxLength: 2_048,
        description: 'Your HTTPS address that gets the CSV, under the rules of `notify_url`; null for none.',
      }),
    ),
    paused: Type.Boolean({
      description:
        'Whether nothing is sent. Periods that end while it is paused are never sent by themselves.',
    }),
  },
  {
    title: 'StatementExportTerms',
    examples: [
      {
        frequency: 'monthly',
        time_zone: 'UTC',
        with_pdf: true,
        user_ids: ['6a1f7c52-3f0d-4a6e-9a53-0b0c7b8f6a11'],
        url: null,
        paused: false,
      },
    ],
  },
);
export type StatementExportTerms = Static<typeof StatementExportTerms>;

const ExportDelivery = Type.Object({
  period: Text('The period, such as `2026-10`, `2026-W43` or `2026-10-19`.'),
  time_zone: Text('The time zone of the period.'),
  user_id: orNull(Text('Who gets it by mail; null for the HTTPS address.')),
  status: OneOf(
    ['pending', 'retrying', 'sent', 'failed'],
    '`pending`: not tried yet. `retrying`: tried in vain, and tried again. `failed`: given up.',
  ),
  attempts: Type.Integer({ minimum: 0, description: 'How often it was tried.' }),
  next_attempt_at: orNull(Instant('When it is tried next; null when it is over.')),
  sent_at: orNull(Instant('When it was accepted; null if it was not.')),
  failing_since: orNull(Instant('Time of its first failure; null without one, and once it was sent.')),
  last_http_status: orNull(
    Type.Integer({ description: 'The HTTP status of the last failure; null if none came.' }),
  ),
  last_error: orNull(OneOf(exportErrors, 'Why the last attempt failed; null if it did not.')),
});

const exportExample = {
  export_id: 'se_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  frequency: 'monthly',
  time_zone: 'UTC',
  with_pdf: true,
  user_ids: ['6a1f7c52-3f0d-4a6e-9a53-0b0c7b8f6a11'],
  url: null,
  paused: false,
  created_at: '2026-03-02T09:30:00.000Z',
  next_period: '2026-03',
  next_at: '2026-04-01T00:15:00.000Z',
  failing_since: null,
  deliveries: [
    {
      period: '2026-02',
      time_zone: 'UTC',
      user_id: '6a1f7c52-3f0d-4a6e-9a53-0b0c7b8f6a11',
      status: 'sent',
      attempts: 1,
      next_attempt_at: null,
      sent_at: '2026-03-02T09:31:00.000Z',
      failing_since: null,
      last_http_status: null,
      last_error: null,
    },
  ],
};

export const StatementExport = Type.Object(
  {
    export_id: Text('Identifies the scheduled export.'),
    frequency,
    time_zone: Text('The time zone in which days begin and end.'),
    with_pdf,
    user_ids: Type.Array(Type.String(), mailedTo),
    url: orNull(Text('The HTTPS address that gets the CSV; null for none.')),
    paused: Type.Boolean({ description: 'Whether nothing is sent.' }),
    created_at: Instant('Time of creation.'),
    next_period: Text('The period that is sent next.'),
    next_at: orNull(Instant('When it is sent: 15 minutes after its end. Null while it is paused.')),
    failing_since: orNull(
      Instant('Since when one of its recipients gets nothing; null if the last ones were sent.'),
    ),
    deliveries: Type.Array(ExportDelivery, { description: 'The latest 20, newest first. Kept for 90 days.' }),
    secret: Type.Optional(
      Text('The signing key of a new address, as text. It is shown only once; store it for your receiver.'),
    ),
  },
  { title: 'StatementExport', examples: [exportExample] },
);
export type StatementExport = Static<typeof StatementExport>;

export const StatementExports = Type.Object(
  {
    items: Type.Array(StatementExport, { description: 'At most five, oldest first.' }),
    recipients: Type.Array(
      Type.Object({
        user_id: Text('Identifies the person.'),
        name: Text('The name.'),
        email: Text('The address of their account.'),
      }),
      { description: 'The people of the team, who can be chosen.' },
    ),
    mail: Type.Boolean({ description: 'Whether this service sends mail.' }),
  },
  {
    title: 'StatementExports',
    examples: [
      {
        items: [exportExample],
        recipients: [
          { user_id: '6a1f7c52-3f0d-4a6e-9a53-0b0c7b8f6a11', name: 'Ada', email: 'ada@example.com' },
        ],
        mail: true,
      },
    ],
  },
);
export type StatementExports = Static<typeof StatementExports>;

export const StatementExportDeleted = Type.Object(
  { deleted: Type.Boolean({ description: 'Always true.' }) },
  { title: 'StatementExportDeleted', examples: [{ deleted: true }] },
);
export type StatementExportDeleted = Static<typeof StatementExportDeleted>;

/** A scheduled export that fails, as the home screen shows it. */
export const FailingExport = Type.Object(
  {
    export_id: Text('The scheduled export.'),
    frequency,
    failing_since: Instant('Since when one of its recipients gets nothing.'),
  },
  { title: 'FailingExport' },
);
