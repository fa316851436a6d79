/** Reads a multipart form, as files are uploaded in. */
import { createHash } from 'node:crypto';
import { StripeError } from './stripe-error.ts';
import type { FormTree } from './stripe-form.ts';

/**
 * The members of a multipart form. A file becomes its `filename`, `type` by its first bytes (`unknown` if it is not one of
 * the usual), `size` in bytes and `sha256`; its content is not kept.
 *
 * @throws StripeError 400 if the body is not such a form
 */
export async function parseMultipart(content_type: string, body: Buffer): Promise<FormTree> {
  const tree: FormTree = Object.create(null) as FormTree;
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': content_type } });
  const form = await response.formData().catch(() => {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      message: 'The multipart body is malformed.',
    });
  });
  for (const [name, value] of form) {
    tree[name] = typeof value === 'string' ? value : await fileTree(value);
  }
  return tree;
}

async function fileTree(file: File): Promise<FormTree> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return {
    filename: file.name,
    type: typeOf(bytes),
    size: String(bytes.length),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function typeOf(bytes: Buffer): string {
  const head = bytes.subarray(0, 5).toString('latin1');
  if (head === '%PDF-') return 'pdf';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'jpg';
  return head.startsWith('\u0089PNG') ? 'png' : 'unknown';
}
