/** The places outside that the audit trail is streamed to: a file, a syslog server, or an address. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { hostname as machineName } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { openSink, type SealSink } from './seal-sink.ts';

/** One line of the stream: an entry of the audit log, or the head of a seal. */
export interface StreamLine {
  kind: 'audit' | 'seal';
  at: Date;
  /** JSON without line breaks. */
  json: string;
}

/** Takes lines in their order. A line may come more than once: after a crash, and after an answer that was lost. */
export interface AuditSink {
  /** Identifies the sink in the database, without its password. */
  readonly name: string;
  /** What the log says when it does not accept lines (D-662). */
  readonly failure: string;
  /** Resolves when the sink has all of them. */
  send(lines: readonly StreamLine[]): Promise<void>;
  /** For sinks that can be read back. */
  readonly heads: SealSink | null;
}

const timeout_ms = 10_000;

/**
 * Opens the sink of PAYDESK_AUDIT_SINK.
 *
 * @param url `file:///…`, `syslog+tls://host:port`, or an address that takes JSON lines by POST
 * @param ca PEM certificates to trust besides the usual ones, or null
 */
export function openAuditSink(url: string, ca: string | null): AuditSink {
  const address = new URL(url);
  const name = `audit ${address.protocol}//${address.host}${address.pathname}`;
  const failure = 'the audit trail could not be sent to its sink';
  if (address.protocol === 'file:') {
    const file = { ...openSink(url), name, rotates: true };
    return { name, failure, heads: file, send: (lines) => file.append(lines.map(({ json }) => json)) };
  }
  const send =
    address.protocol === 'syslog+tls:'
      ? (lines: readonly StreamLine[]) => sendSyslog(address, ca, lines)
      : (lines: readonly StreamLine[]) => postLines(address, ca, lines);
  return { name, failure, heads: null, send };
}

/** The certificates of the system stay trusted. They must be in the list too, because Node trusts only the list. */
const trusting = async (ca: string | null) =>
  ca === null ? {} : { ca: [...(await import('node:tls')).rootCertificates, ca] };

/** Posts lines as `application/x-ndjson`. Any 2xx means that they are kept. Redirects are not followed. */
async function postLines(address: URL, ca: string | null, lines: readonly StreamLine[]): Promise<void> {
  const url = new URL(address);
  const { username, password } = address;
  url.username = '';
  url.password = '';
  const body = Buffer.from(lines.map(({ json }) => `${json}\n`).join(''), 'utf8');
  const options = {
    ...(await trusting(ca)),
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'content-length': body.length },
    ...(username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
    signal: AbortSignal.timeout(timeout_ms),
  };
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  await new Promise<void>((resolve, reject) => {
    const call = start(url, options, (answer) => {
      const { statusCode = 0 } = answer;
      answer.resume().on('error', reject);
      answer.on('end', () => {
        if (statusCode >= 200 && statusCode < 300) resolve();
        else reject(new Error(`the sink of the audit trail answers ${statusCode}`));
      });
    });
    call.on('error', reject).end(body);
  });
}

/** How long a connection stays open after the lines, so that the end of a server that read none of them arrives first. */
const linger_ms = 250;

/**
 * Sends lines to a syslog server over TLS (RFC 5425), on a separate connection. Syslog has no answer, so they count as
 * kept only when the server has closed the connection, without an error, after we have closed it: a server that stops
 * before it has read them closes earlier, or resets the connection.
 */
async function sendSyslog(
  { hostname, port }: URL,
  ca: string | null,
  lines: readonly StreamLine[],
): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const options = { ...(await trusting(ca)), host, port: port === '' ? 6514 : Number(port) };
  await new Promise<void>((resolve, reject) => {
    let isRead = false;
    let hasClosed = false;
    let linger: NodeJS.Timeout | undefined;
    const close = (): void => {
      hasClosed = true;
      socket.end();
    };
    const socket = connectTls(
      { ...options, ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }) },
      () => {
        socket.write(Buffer.concat(lines.map(syslogFrame)), () => {
          linger = setTimeout(close, linger_ms);
        });
      },
    );
    socket.setTimeout(timeout_ms, () => socket.destroy(new Error('the syslog server does not answer')));
    socket.on('error', reject);
    socket.on('end', () => {
      isRead = hasClosed;
    });
    socket.on('close', () => {
      clearTimeout(linger);
      if (isRead) resolve();
      else reject(new Error('the syslog server has closed the connection too early'));
    });
    socket.resume();
  });
}

/** Facility 13 (log audit), severity 5 (notice). */
const priority = 13 * 8 + 5;

/** A name as a syslog header allows it: visible ASCII. */
const nameOf = (text: string): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';

/**
 * A message (RFC 5424) with its length before it (octet counting, RFC 5425). The message ID is `audit` or `seal`, the
 * text is JSON.
 */
function syslogFrame({ kind, at, json }: StreamLine): Buffer {
  const head = `<${priority}>1 ${at.toISOString()} ${nameOf(machineName())} paydesk - ${kind} -`;
  const message = Buffer.from(`${head} ${json}`, 'utf8');
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
