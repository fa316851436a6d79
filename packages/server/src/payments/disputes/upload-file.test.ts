import { expect, test } from 'vitest';
import type { PaymentDeps } from '../engine/index.ts';
import type { Dispute } from './dispute.ts';
import { mostBytes } from './evidence.ts';
import { uploadFile } from './upload-file.ts';

const pdf = Buffer.from('%PDF-1.7');

test.each([
  ['of another kind', Buffer.from('plain text'), 'The file is not a PDF, JPEG or PNG.'],
  ['that is too large', Buffer.concat([pdf, Buffer.alloc(mostBytes)]), 'The file is larger than 4.5 MB.'],
])('D-345 a file %s is refused in the words of a person', async (_, bytes, words) => {
  const file = { field: 'receipt', content: bytes.toString('base64'), uploaded_by: 'user:1' } as const;
  await expect(uploadFile({} as PaymentDeps, {} as Dispute, file)).rejects.toMatchObject({
    code: 'invalid_request',
    message: words,
  });
});
