import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { testAuthority } from './tls.ts';

/** A mail server that encrypts and wants to know who sends. */
export interface MailServer {
  port: number;
  /** Trusted for its certificate. */
  ca: string;
  /** The received mail as it was sent, with its recipient and whether the connection was encrypted. */
  mails: { to: string; from: string; text: string; encrypted: boolean }[];
  /** Refuses everything until it is switched. */
  refuse(refuses: boolean): void;
  stop(): Promise<void>;
}

export async function startMailServer(user: string, password: string): Promise<MailServer> {
  const authority = await testAuthority();
  const { cert, key } = await authority.issue();
  const mails: MailServer['mails'] = [];
  let refuses = false;
  const server = new SMTPServer({
    cert,
    key,
    onAuth({ username, password: sent }, _session, done) {
      if (username === user && sent === password) done(null, { user });
      else done(new Error('wrong credentials'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuses) {
          done(Object.assign(new Error('try again later'), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          to: rcptTo.map(({ address }) => address).join(','),
          from: mailFrom === false ? '' : mailFrom.address,
          text: Buffer.concat(chunks).toString('utf8'),
          encrypted: session.secure,
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    ca: authority.cert,
    mails,
    refuse(now) {
      refuses = now;
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** The text of a mail with its encoding undone: quoted-printable, as most are. */
export const plainText = (mail: string): string =>
  mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
