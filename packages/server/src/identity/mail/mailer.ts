import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as nodemailer from 'nodemailer';
import type { Clock } from '../../base/time/clock.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../base/pg/index.ts';
import type { MailConfig } from '../../config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Throws where the mail was not accepted. */
  send(mail: Mail): Promise<void>;
  stop(): void;
}

/** What sends mails that are owed. */
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
}

/** How long the server of the other side may take for each step. */
const wait_ms = 10_000;

/** What sends mails is loaded and made for the first one. */
function onDemand<T extends { close(): void }>(
  make: (library: Pick<typeof nodemailer, 'createTransport'>) => T,
) {
  let transport: Promise<T> | undefined;
  return {
    open: (): Promise<T> => (transport ??= import('nodemailer').then(make)),
    close(): void {
      void transport?.then((opened) => {
        opened.close();
      });
    },
  };
}

export const createMailer = (config: MailConfig, deps: MailerDeps): Mailer =>
  config.kind === 'smtp' ? smtpMailer(config) : outboxMailer(config.dir, deps);

/** Credentials never travel in the clear: where the address names any, the connection has to be encrypted. */
function smtpMailer({ url, from, ca }: Extract<MailConfig, { kind: 'smtp' }>): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = onDemand(({ createTransport }) =>
    createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: !secure && username !== '',
      ...(username === ''
        ? {}
        : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      ...(ca === null ? {} : { tls: { ca } }),
      connectionTimeout: wait_ms,
      greetingTimeout: wait_ms,
      socketTimeout: wait_ms,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  );
  return {
    async send({ to, subject, text }) {
      await (await transport.open()).sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    stop() {
      transport.close();
    },
  };
}

/** Writes each mail into a file of its own, as it would travel; whole or not at all. */
function outboxMailer(dir: string, { clock, ids }: MailerDeps): Mailer {
  const transport = onDemand(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'unix' }),
  );
  return {
    async send({ to, subject, text }) {
      const from = 'Paydesk <paydesk@localhost>';
      const { message } = await (
        await transport.open()
      ).sendMail({ from, to: { name: '', address: to }, subject, text });
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
