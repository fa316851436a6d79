/** Sends mail: over SMTP, or into files of a directory where no mail server is set up. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as nodemailer from 'nodemailer';
import type { Clock } from '../../base/time/clock.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { Branding } from '../../base/settings/index.ts';
import type { Database } from '../../base/pg/index.ts';
import type { MailConfig } from '../../config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Names the mail, so that a program can tell one that comes again. */
  message_id?: string;
  attachments?: readonly Attachment[];
}

export interface Attachment {
  filename: string;
  content_type: string;
  content: Buffer;
}

export interface Mailer {
  /** Throws where the mail server does not accept the mail. */
  send(mail: Mail): Promise<void>;
  stop(): void;
}

/** What a worker needs to send queued mail. */
export interface SendDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  mailer: Mailer;
  log: Logger;
  public_url: string;
}

export interface MailerDeps {
  clock: Clock;
  ids: Pick<IdSource, 'ulid'>;
  /** What people see of the platform now. */
  branding: () => Pick<Branding, 'name' | 'support_address'>;
}

/** Maximum time for each step of the SMTP dialogue. */
const smtpTimeout_ms = 10_000;

/** Loads the mail library and makes its transport with the first mail, so that a start does not wait for it. */
function onDemand<T extends { close(): void }>(
  make: (library: Pick<typeof nodemailer, 'createTransport'>) => T,
) {
  let transport: T | undefined;
  return {
    async open(): Promise<T> {
      // Node.js keeps the library, and this keeps no failure (D-894).
      const library = await import('nodemailer');
      return (transport ??= make(library));
    },
    close(): void {
      transport?.close();
    },
  };
}

type SmtpConfig = Extract<MailConfig, { kind: 'smtp' }>;

/** Every mail ends with the platform's name, and with its support address if there is one. */
export function createMailer(config: MailConfig, deps: MailerDeps): Mailer {
  const mailer = config.kind === 'smtp' ? smtpMailer(config) : outboxMailer(config.dir, deps);
  return {
    stop() {
      mailer.stop();
    },
    send({ text, ...mail }) {
      const { name, support_address } = deps.branding();
      const signature = [name, ...(support_address === null ? [] : [support_address])].join('\n');
      return mailer.send({ ...mail, text: `${text.trimEnd()}\n\n-- \n${signature}\n` });
    },
  };
}

/** If the URL has credentials, the connection must be encrypted: a password never travels in clear text. */
function smtpTransport({ url, ca }: SmtpConfig) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return onDemand(({ createTransport }) =>
    createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: !secure && username !== '',
      ...(username === ''
        ? {}
        : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      ...(ca === null ? {} : { tls: { ca } }),
      connectionTimeout: smtpTimeout_ms,
      greetingTimeout: smtpTimeout_ms,
      socketTimeout: smtpTimeout_ms,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
}

/**
 * Connects to the mail server and signs in, without sending.
 *
 * @throws the mail library's error
 */
export async function checkMailServer(config: SmtpConfig): Promise<void> {
  const transport = smtpTransport(config);
  try {
    await (await transport.open()).verify();
  } finally {
    transport.close();
  }
}

/** The mail in the words of the library. Attachments keep every byte: their lines are not rewritten. */
const messageOf = ({ to, subject, text, message_id, attachments = [] }: Mail) => ({
  ...{ to: { name: '', address: to }, subject, text },
  ...(message_id === undefined ? {} : { messageId: message_id }),
  attachments: attachments.map(({ filename, content_type, content }) => ({
    ...{ filename, content, contentType: content_type },
    contentTransferEncoding: 'base64' as const,
  })),
});

/** What the server said, without the recipient, whom a server may name and the library adds: no log may have them (D-1208). */
function withoutRecipient({ message, code }: NodeJS.ErrnoException, to: string): Error {
  const name = new RegExp(to.replaceAll(/[^\w@-]/g, '\\$&'), 'gi');
  return Object.assign(new Error(message.replaceAll(name, '[recipient]')), { code });
}

function smtpMailer(config: SmtpConfig): Mailer {
  const transport = smtpTransport(config);
  const { from } = config;
  return {
    async send(mail) {
      const open = await transport.open();
      await open.sendMail({ from, ...messageOf(mail) }).catch((error: unknown) => {
        throw withoutRecipient(error as NodeJS.ErrnoException, mail.to);
      });
    },
    stop() {
      transport.close();
    },
  };
}

/**
 * Writes each mail, in the format in which it would be sent, into a separate file. A file appears only when it is
 * complete.
 */
function outboxMailer(dir: string, { clock, ids }: MailerDeps): Mailer {
  const transport = onDemand(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
  return {
    async send(mail) {
      const from = 'Paydesk <paydesk@localhost>';
      const { message } = await (await transport.open()).sendMail({ from, ...messageOf(mail) });
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const path = join(dir, `${ids.ulid(clock.real())}.eml`);
      await writeFile(`${path}.new`, message as Buffer, { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
    stop() {
      transport.close();
    },
  };
}
