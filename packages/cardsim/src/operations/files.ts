/** Uploading and reading files. */
import { expandBody, ownRecord, type Call, type Outcome } from '../api/calls.ts';
import { optionalTree, requiredText } from '../api/params.ts';
import { invalidParameter } from '../api/stripe-error.ts';
import { wireFile } from '../api/wire.ts';
import type { FileRecord } from '../records/records.ts';

const purposes = ['dispute_evidence'];
const types: readonly string[] = ['pdf', 'jpg', 'png'];

/** Bytes of one file. */
const most_bytes = 5_000_000;

/** `POST /v1/files`. The router has read the multipart body: of the file its name, type, size and hash are left. */
export function createFile(call: Call): Outcome {
  const { sim, params, account } = call;
  const purpose = requiredText(params, 'purpose');
  if (!purposes.includes(purpose)) {
    throw invalidParameter('purpose', `Invalid purpose: must be one of ${purposes.join(', ')}`);
  }
  const file = optionalTree(params, 'file');
  if (file === undefined)
    throw invalidParameter('file', 'Missing required param: file.', 'parameter_missing');
  const [type, size] = [requiredText(file, 'type', 'file'), Number(requiredText(file, 'size', 'file'))];
  if (!types.includes(type)) throw invalidParameter('file', 'The file must be a PDF, a JPEG or a PNG.');
  if (size > most_bytes) throw invalidParameter('file', 'The file is too large.');
  const record: FileRecord = {
    id: sim.newId('file_'),
    account: account.id,
    created: sim.clock.seconds(),
    filename: requiredText(file, 'filename', 'file'),
    purpose,
    size,
    type: type as FileRecord['type'],
  };
  sim.store.files.set(record.id, record);
  return { body: expandBody(wireFile(record), call) };
}

/** `GET /v1/files/{id}` */
export function retrieveFile(call: Call): Outcome {
  return { body: expandBody(wireFile(ownRecord(call.sim.store.files, call, 'file')), call) };
}
