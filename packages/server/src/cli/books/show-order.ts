import { join } from 'node:path';
import { CommandError } from '../shared/command-errors.ts';
import { readLines, readKnownManifest } from './archive-folder.ts';

/**
 * Prints what the archive has of one order, as JSON: the file, its entry there, and its rows. Needs no database (D-477). An order
 * that changed after a file was written left with a later one, so the newest file comes first (D-1414).
 */
export async function showOrder(folder: string, order_no: string): Promise<number> {
  const { files } = await readKnownManifest(folder);
  for (const { file, sha256, first_order, last_order } of files.toReversed()) {
    if (order_no < first_order || order_no > last_order) continue;
    const read = await readLines(join(folder, file));
    if (read.sha256 !== sha256)
      throw new CommandError(`The file ${file} is not the one that the manifest names.`);
    const lines = read.lines.map((line) => JSON.parse(line) as ArchiveLine);
    const order = lines.find((line) => line.order?.order_no === order_no)?.order;
    if (order === undefined) continue;
    const rows = lines.flatMap(({ fact }) =>
      fact?.row.order_no === order_no ? [{ kind: fact.kind, seal_no: fact.seal_no, ...fact.row }] : [],
    );
    console.log(JSON.stringify({ file, sha256, order, rows }, null, 2));
    return 0;
  }
  throw new CommandError(`The archive in ${folder} has no order ${order_no}.`);
}

interface ArchiveLine {
  order?: { order_no: string };
  fact?: { kind: string; seal_no: string; row: Record<string, string | null> };
}
