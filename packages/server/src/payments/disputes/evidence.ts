/** Evidence about a dispute: texts and files for the buyer's bank. */
import type { DisputeFileField, DisputeTexts } from '@paydesk/contract';
import { hours, later, minutes } from '../../base/time/clock.ts';

/** A file that the provider stores. Paydesk keeps neither its content nor its name (D-343). */
export interface EvidenceFile {
  field: DisputeFileField;
  /** The provider's. */
  file_id: string;
  content_type: string;
  /** Bytes. */
  size: number;
  uploaded_by: string;
  uploaded_at: Date;
}

/** The files of sent evidence, by member. */
export type SentFiles = Partial<
  Record<DisputeFileField, Pick<EvidenceFile, 'file_id' | 'content_type' | 'size'>>
>;

/** One sending of evidence. `sending`: the provider has not confirmed it yet. */
export interface Evidence {
  merchant_id: string;
  evidence_id: string;
  dispute_id: string;
  status: 'sending' | 'sent' | 'refused';
  /** The texts as JSON, sealed (D-343). */
  texts_box: Buffer;
  files: SentFiles;
  /** Submissions at the provider before this one. */
  submissions_before: number;
  asked_by: string;
  asked_at: Date;
  ended_at: Date | null;
  check_at: Date | null;
  /** The latest news, in a few words for the operator. */
  detail: string;
}

/** Characters of all texts, as the provider counts (D-345). */
export const mostCharacters = 150_000;

/** Bytes of all files of one sending, as the banks take them (D-345). */
export const mostBytes = 4_500_000;

export const charactersOf = (texts: DisputeTexts): number =>
  Object.values(texts).reduce((sum, text) => sum + text.length, 0);

/** When evidence whose arrival is unclear is sent again: every minute for an hour, then every quarter of an hour. */
export function nextSending({ asked_at }: Pick<Evidence, 'asked_at'>, now: Date): Date {
  const age_ms = now.getTime() - asked_at.getTime();
  return later(now, age_ms < hours(1) ? minutes(1) : minutes(15));
}

const signatures: readonly [content_type: string, extension: string, head: string][] = [
  ['application/pdf', 'pdf', '%PDF-'],
  ['image/jpeg', 'jpg', '\u00FF\u00D8\u00FF'],
  ['image/png', 'png', '\u0089PNG\r\n\u001A\n'],
];

/** What a file is, by its first bytes; null for anything but a PDF, a JPEG or a PNG (D-345). */
export function fileTypeOf(bytes: Buffer): { content_type: string; extension: string } | null {
  const head = bytes.subarray(0, 8).toString('latin1');
  const found = signatures.find(([, , start]) => head.startsWith(start));
  return found === undefined ? null : { content_type: found[0], extension: found[1] };
}
