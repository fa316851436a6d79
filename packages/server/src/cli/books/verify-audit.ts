import { measuredClock } from '../../base/clocks/measured-clock.ts';
import { findAuditFaults, openAuditSink, openSink } from '../../seals/index.ts';
import { type CommandContext, withDatabase } from '../shared/command.ts';
import { readBox } from '../shared/secret-keys.ts';

/**
 * `paydesk verify-audit`: checks the audit trail against its seals and the sinks outside, and names each entry that was
 * changed, removed or added past the service. Exit code 1 if there are findings.
 */
export async function verifyAuditCommand({ config }: CommandContext): Promise<number> {
  const box = await readBox(config);
  const sealSink = config.seal_sink === null ? null : openSink(config.seal_sink);
  const stream =
    config.audit_sink === null ? null : openAuditSink(config.audit_sink, config.audit_sink_ca).heads;
  return withDatabase(
    config,
    'paydesk verify-audit',
    async (db) => {
      const { entries, findings } = await findAuditFaults(db, {
        clock: await measuredClock(db),
        box,
        sealSink,
        stream,
      });
      for (const { kind, words } of findings) console.log(`${kind}: ${words}`);
      const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
      console.log(
        findings.length === 0
          ? `The audit trail is intact: ${entries} entries checked.`
          : `The audit trail is not intact: ${count} in ${entries} entries.`,
      );
      return findings.length === 0 ? 0 : 1;
    },
    { statement_timeout_ms: 0 },
  );
}
