/** Checks the places outside that take audit entries, heads of seals and notifications. Writes nothing to them. */
import { access, constants, stat } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { dirname } from 'node:path';
import { connect, rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { fail, type Finding, ok, reasonOf } from './finding.ts';

const limit_ms = 8_000;

export function checkSinks(config: Config): Promise<Finding[]> {
  const sinks: [string, string | null, string | null][] = [
    ['audit sink', config.audit_sink, config.audit_sink_ca],
    ['seal sink', config.seal_sink, null],
    ['archive', config.notification_archive, null],
  ];
  return Promise.all(sinks.flatMap(([about, url, ca]) => (url === null ? [] : [checkSink(about, url, ca)])));
}

async function checkSink(about: string, text: string, ca: string | null): Promise<Finding> {
  const url = new URL(text);
  const shown = url.protocol === 'file:' ? fileURLToPath(url) : `${url.protocol}//${url.host}`;
  try {
    if (url.protocol === 'file:') return ok(about, await checkFile(shown));
    // The certificates of the system stay trusted. They must be in the list too, because Node trusts only the list.
    const trust = ca === null ? {} : { ca: [...rootCertificates, ca] };
    if (url.protocol === 'syslog+tls:') {
      await reachByTls(url, trust);
      return ok(about, `${shown} answers by TLS.`);
    }
    const status = await askHead(url, trust);
    if (status === 401 || status === 403)
      return fail(about, `${shown} refuses name and password (${status}).`);
    if (status >= 500) return fail(about, `${shown} answers HTTP ${status}.`);
    return ok(about, `${shown} answers (HTTP ${status}).`);
  } catch (error) {
    return fail(
      about,
      `${shown} cannot be ${url.protocol === 'file:' ? 'written' : 'reached'}: ${reasonOf(error)}.`,
    );
  }
}

/** Lines are appended to a file, or it is made with the first one. */
async function checkFile(path: string): Promise<string> {
  const file = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) {
    await access(dirname(path), constants.W_OK | constants.X_OK);
    return `${path} can be made.`;
  }
  if (!file.isFile()) throw new Error('it is no file');
  await access(path, constants.R_OK | constants.W_OK);
  return `${path} can be written.`;
}

function reachByTls({ hostname, port }: URL, trust: { ca?: string[] }): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...trust, ...servername, host, port: port === '' ? 6514 : Number(port) }, () => {
      socket.end();
      resolve();
    });
    socket.setTimeout(limit_ms, () => socket.destroy(new Error('no answer in time')));
    socket.on('error', reject);
  });
}

/** Any answer shows that the sink can be reached. */
function askHead(url: URL, trust: { ca?: string[] }): Promise<number> {
  const { username, password } = url;
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  const auth =
    username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = { ...trust, ...auth, method: 'HEAD', signal: AbortSignal.timeout(limit_ms) };
    const call = start(plain, options, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    call.on('error', reject).end();
  });
}
