import { createReadStream } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ArchivedLines, readArchive } from '../../seals/archive/index.ts';
import { hasPublicKeys, readHeads, verifyExport } from '../../seals/index.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import type { CommandContext } from '../shared/command.ts';
import { isArchiveFile, readLines, readKnownManifest } from './archive-folder.ts';

/**
 * `paydesk verify-export`: verifies an export of the books with a public key alone, and prints each wrong row. Exit code 1
 * if there is one. Needs neither database nor secret.
 */
export async function verifyExportCommand({ argument: file, options }: CommandContext): Promise<number> {
  const { 'public-key': pem_file, heads: heads_file, archive: folder } = options;
  if (pem_file === undefined) throw new UsageError('verify-export needs --public-key PEM.');
  // It has some seals of a chain only, so it would be compared with nothing (D-1323).
  if (isArchiveFile(file) && (heads_file !== undefined || folder !== undefined))
    throw new UsageError('A file of the archive is verified alone: --heads and --archive are for an export.');
  const pem = await readFile(pem_file, 'utf8').catch(() => {
    throw new CommandError(`The file ${pem_file} cannot be read.`);
  });
  if (!hasPublicKeys(pem))
    throw new CommandError(`The file ${pem_file} has no public key in PEM, or one that cannot be read.`);
  const heads = heads_file === undefined ? undefined : await readHeads(await linesOf(heads_file));
  // Otherwise the export would be called whole, and compared with nothing (D-1465).
  if (heads?.size === 0)
    throw new CommandError(`The file ${heads_file} has no head of a seal: name that of PAYDESK_SEAL_SINK.`);
  let faults = 0;
  const report = (words: string): void => {
    faults++;
    console.log(words);
  };
  if (isArchiveFile(file)) {
    const { orders, rows } = readArchive((await readLines(file)).lines, pem, report);
    const size = `${orders.length} orders with ${rows.length} rows`;
    console.log(
      faults === 0
        ? `The file is whole: ${size}.`
        : `The file is not whole: ${faults} faults. It has ${size}.`,
    );
    return faults === 0 ? 0 : 1;
  }
  const left = folder === undefined ? undefined : await readLeft(folder, pem, report);
  const { seals, facts, unsealed, archived } = await verifyExport(
    await linesOf(file),
    pem,
    report,
    heads,
    left,
  );
  const inArchive = archived === 0 ? '' : `, ${archived} rows in the archive`;
  const size = `${facts} sealed rows under ${seals} seals, ${unsealed} rows too new to be sealed${inArchive}`;
  console.log(
    faults === 0
      ? `The export is whole: ${size}.`
      : `The export is not whole: ${faults} faults. It has ${size}.`,
  );
  return faults === 0 ? 0 : 1;
}

/** Verifies every file of an archive against its manifest and its seals, and notes which rows it has (D-476). */
async function readLeft(
  folder: string,
  pem: string,
  report: (words: string) => void,
): Promise<ArchivedLines> {
  const left = new ArchivedLines();
  for (const { file, sha256 } of (await readKnownManifest(folder)).files) {
    const say = (words: string): void => {
      report(`${file}: ${words}`);
    };
    try {
      const read = await readLines(join(folder, file));
      if (read.sha256 !== sha256) say('it is not the file that the manifest names');
      left.add(readArchive(read.lines, pem, say));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      say(error.message);
    }
  }
  return left;
}

async function linesOf(file: string): Promise<AsyncIterable<string>> {
  await access(file, constants.R_OK).catch(() => {
    throw new CommandError(`The file ${file} cannot be read.`);
  });
  return createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
}
