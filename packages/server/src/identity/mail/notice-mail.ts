/** The texts of notices, in English. */
import type { Notice, NoticeKind } from './notice.sql.ts';

type Told = Exclude<NoticeKind, 'password_changed'>;
type Detail = Notice['detail'];

const factors: Readonly<Record<string, string>> = {
  totp: 'An authenticator app',
  passkey: 'A passkey',
  all: 'Every second factor',
};
const at = ({ merchant }: Detail): string => (merchant === undefined ? 'the platform' : merchant);
const whom = ({ name = '', email = '' }: Detail): string => `${name} (${email})`;

/** The subject, and what has happened, of each kind. */
const texts: Readonly<Record<Told, { subject: string; what: (detail: Detail) => string }>> = {
  new_device: {
    subject: 'A new device has signed in to your account',
    what: ({ device = '' }) =>
      `A device that has not been used before has signed in to your account: ${device}.`,
  },
  factor_added: {
    subject: 'A second factor was added to your account',
    what: ({ factor = '' }) => `${factors[factor] ?? 'A second factor'} was added to your account.`,
  },
  factor_removed: {
    subject: 'A second factor was removed from your account',
    what: ({ factor = '' }) => `${factors[factor] ?? 'A second factor'} was removed from your account.`,
  },
  role_given: {
    subject: 'A role was given',
    what: (detail) => `${whom(detail)} now has the role "${detail.role ?? ''}" at ${at(detail)}.`,
  },
  owner_added: {
    subject: 'An owner was added',
    what: (detail) => `${whom(detail)} is now an owner of ${at(detail)}.`,
  },
  receiver_failing: {
    subject: 'Your server does not take notifications',
    what: ({ receiver = '', failures = '', answer = '', since = '', ...detail }) =>
      `The server ${receiver} of ${at(detail)} has failed ${failures} times in a row to take a notification. ` +
      `Its last answer: ${answer}. It fails since ${since}.\n\n` +
      'Each notification is tried ten times, over almost a day. No payment is affected.',
  },
  receiver_recovered: {
    subject: 'Your server takes notifications again',
    what: ({ receiver = '', since = '', ...detail }) =>
      `The server ${receiver} of ${at(detail)} takes notifications again. It had failed since ${since}. ` +
      'Notifications that wait are tried again by themselves. Those that were given up can be replayed.',
  },
  secret_changed: {
    subject: 'A secret was made or changed',
    what: (detail) =>
      detail.secret === 'client_secret'
        ? `The client ${detail.client_id ?? ''} of ${at(detail)} has a new secret.`
        : `The key that signs notifications of ${at(detail)} has changed.`,
  },
};

/** One line of what a person has typed: a name cannot add lines of its own to a mail. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 200);

/** The mail of a notice. */
export function noticeMail(
  { kind, detail }: { kind: Told; detail: Detail },
  public_url: string,
): { subject: string; text: string } {
  const clean = Object.fromEntries(Object.entries(detail).map(([name, text]) => [name, plain(text)]));
  const { subject, what } = texts[kind];
  if (kind === 'receiver_failing' || kind === 'receiver_recovered') {
    const screen = `${public_url}/console/merchants/${clean.merchant_no ?? ''}/notification-settings`;
    return { subject, text: `${what(clean)}\n\nTime: ${clean.at ?? ''}\n\n${screen}\n` };
  }
  const from =
    clean.address === '' || clean.address === undefined ? '' : `Network address: ${clean.address}\n`;
  const text = `${what(clean)}

Time: ${clean.at ?? ''}
${from}
If you know of this, there is nothing to do. If you do not, change your password and end all other sessions at once:

${public_url}/account
`;
  return { subject, text };
}
