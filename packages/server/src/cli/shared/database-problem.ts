/** Says what is wrong with the database of `DATABASE_URL`, and what to do. */

/** The codes of Node.js for a server's certificate that is not trusted, is not valid, or names another server. */
const refusedCertificate =
  /^(CERT_|CRL_|DEPTH_ZERO|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;

/** One sentence for an error of the connection, or of the database; null for any other error. Commands and the doctor say it (D-1441, D-1468). */
export function databaseProblem(error: Error): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/.test(code)) {
    return `The database of DATABASE_URL cannot be reached: ${error.message || code}.`;
  }
  // The driver's own words where the server is silent or gone; they have no code.
  if (
    code === undefined &&
    /^(timeout expired|Query read timeout|Connection terminated|Client .* not queryable)/.test(error.message)
  ) {
    return `The database of DATABASE_URL does not answer: ${error.message}.`;
  }
  if (error.message === 'The server does not support SSL connections')
    return 'The database of DATABASE_URL offers no TLS, which the address asks for: turn it on there (ssl = on), or set sslmode=disable.';
  if (code !== undefined && refusedCertificate.test(code))
    return `The certificate of the database of DATABASE_URL is refused: ${error.message.replace(/[.:\s]+$/, '')}. Name its issuer with sslrootcert, and the server as the certificate does.`;
  // In the middle of its work, not of the connection (D-1399).
  if (code === '53100')
    return `The disk of the database of DATABASE_URL is full (${error.message}): make room, and run the command again.`;
  if (code === '53300')
    return `The database of DATABASE_URL has no connection left (${error.message}): lower PAYDESK_DB_POOL of the processes, or raise max_connections or the CONNECTION LIMIT there.`;
  if (code !== undefined && /^(53|57014)/.test(code))
    return `The database of DATABASE_URL ended the work: ${error.message}.`;
  if (code !== undefined && /^(28|3D|57P)/.test(code))
    return `The database of DATABASE_URL refused the connection: ${error.message}.`;
  if (code === '25006')
    return `The database of DATABASE_URL takes no writes (${error.message}): wait until its restore has ended, or name the primary server.`;
  if (code === '42501')
    return `The role of DATABASE_URL lacks a right (${error.message}): run "npx paydesk grant-role NAME" with the address of the owner.`;
  return null;
}
