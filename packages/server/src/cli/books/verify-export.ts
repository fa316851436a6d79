import { createReadStream } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { readHeads, verifyExport } from '../../seals/index.ts';
import { CommandError, UsageError } from '../shared/command-errors.ts';
import type { CommandContext } from '../shared/command.ts';

/**
 * `paydesk verify-export`: verifies an export of the books with a public key alone, and prints each wrong row. Exit code 1
 * if there is one. Needs neither database nor secret.
 */
export async function verifyExportCommand({ argument: file, options }: CommandContext): Promise<number> {
  const { 'public-key': pem_file, heads: heads_file } = options;
  if (pem_file === undefined) throw new UsageError('verify-export needs --public-key PEM.');
  const pem = await readFile(pem_file, 'utf8').catch(() => {
    throw new CommandError(`The file ${pem_file} cannot be read.`);
  });
  if (!pem.includes('BEGIN PUBLIC KEY'))
    throw new CommandError(`The file ${pem_file} has no public key in PEM.`);
  const heads = heads_file === undefined ? undefined : await readHeads(await linesOf(heads_file));
  let faults = 0;
  const report = (words: string): void => {
    faults++;
    console.log(words);
  };
  const { seals, facts, unsealed } = await verifyExport(await linesOf(file), pem, report, heads);
  const size = `${facts} sealed rows under ${seals} seals, ${unsealed} rows too new to be sealed`;
  console.log(
    faults === 0
      ? `The export is whole: ${size}.`
      : `The export is not whole: ${faults} faults. It has ${size}.`,
  );
  return faults === 0 ? 0 : 1;
}

async function linesOf(file: string): Promise<AsyncIterable<string>> {
  await access(file, constants.R_OK).catch(() => {
    throw new CommandError(`The file ${file} cannot be read.`);
  });
  return createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
}
