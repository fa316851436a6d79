/** Seals over facts that are only ever added: made by a worker, checked by anyone (docs/seals.md). */
export { checkSealedFacts, findSealFaults, type SealsBefore, selectSealsNow } from './check-seals.ts';
export { type AuditSink, openAuditSink } from './audit-sink.ts';
export { findAuditFaults } from './check-audit.ts';
export { checkSink } from './check-seal-sink.ts';
export { exportLines, publicKeyPem } from './export-books.ts';
export { publishHeads } from './publish.ts';
export { endorseOlderKeys, readUnendorsedKeys, sealFacts } from './seal-facts.ts';
export { auditBacklog, auditMetrics } from './audit-metrics.ts';
export { sealMetrics } from './seal-metrics.ts';
export { openSink, type SealSink } from './seal-sink.ts';
export { isAuditUnsealed } from './sink-lease.sql.ts';
export { createAuditStream } from './stream-audit.ts';
export { readHeads, verifyExport } from './verify-export.ts';
export { selectCanonicalRows } from './fact.sql.ts';
export { hasPublicKeys, keyJson, readKey, type SealKey, trustPem } from './keys.ts';
export { factKinds } from './kinds.sql.ts';
export {
  canonicalRow,
  parseEntries,
  parseSeal,
  sealFaults,
  sealJson,
  sha256Base64,
  sha256Hex,
  type SignedSeal,
} from './seal.ts';
export { selectSeal, selectSealKeys, selectSent, selectWholeSeals } from './seal.sql.ts';
