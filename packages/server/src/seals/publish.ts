import type { Database } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { sealJson } from './seal.ts';
import { saveSent, selectSealsAfter, selectSent } from './seal.sql.ts';
import type { SealSink } from './seal-sink.ts';

export interface PublishDeps {
  db: Database;
  log: Pick<Logger, 'info'>;
  /** Null if no sink is configured: then the heads only go to the log. */
  sink: SealSink | null;
}

/** Maximum number of heads in one call. */
const pageSize = 500;
/** The name of the log in the table of sinks. */
const logName = 'log';

/**
 * Writes the heads of the platform's chain that are new to the log, and to the sink. What was sent is noted afterwards, so
 * after a crash a head is sent again rather than left out.
 */
export async function publishHeads({ db, log, sink }: PublishDeps): Promise<void> {
  await sendNew(db, logName, (heads) => {
    for (const seal of heads) log.info({ seal }, 'sealed');
    return Promise.resolve();
  });
  if (sink !== null) {
    await sendNew(db, sink.name, (heads) => sink.append(heads.map((seal) => JSON.stringify({ seal }))));
  }
}

type Head = ReturnType<typeof sealJson>;

async function sendNew(db: Database, name: string, send: (heads: Head[]) => Promise<void>): Promise<void> {
  for (let sent = await selectSent(db, name); ;) {
    const seals = await selectSealsAfter(db, platformBook, sent, pageSize);
    const last = seals.at(-1);
    if (last === undefined) return;
    await send(seals.map(sealJson));
    await saveSent(db, name, last.seal_no);
    sent = last.seal_no;
  }
}
