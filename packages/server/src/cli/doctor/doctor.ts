import { type Config, ConfigError } from '../../config.ts';
import { type CommandContext, withDatabaseUrl } from '../shared/command.ts';
import { readBox } from '../shared/secret-keys.ts';
import { checkDatabase } from './database-checks.ts';
import { fail, type Finding, findingsOf, lineOf, warn } from './finding.ts';
import { checkDisks } from './disk-checks.ts';
import { checkNode, checkOpenFiles } from './machine-checks.ts';
import { checkMail, checkProviders, checkPublicAddress, checkRedis } from './network-checks.ts';
import { checkSettings } from './settings-checks.ts';
import { checkSinks } from './sink-checks.ts';

/**
 * `paydesk doctor`: looks at everything that the service needs, and prints a line for each. It changes nothing and prints
 * no secret. Exit code 1 if something fails.
 */
export async function doctorCommand(context: CommandContext): Promise<number> {
  const counts = { ok: 0, warn: 0, fail: 0 };
  const report = (findings: readonly Finding[]): void => {
    for (const finding of findings) {
      counts[finding.level]++;
      console.log(lineOf(finding));
    }
  };
  report(checkNode());
  report(await findingsOf('open files', checkOpenFiles));
  const config = readSettings(context, report);
  if (config === null) report([warn('not checked', 'Disk, database and network need valid settings.')]);
  else await checkAll(config, report);
  console.log(`${counts.fail} failed, ${counts.warn} warnings, ${counts.ok} ok.`);
  return counts.fail > 0 ? 1 : 0;
}

function readSettings(context: CommandContext, report: (findings: Finding[]) => void): Config | null {
  try {
    const { config } = context;
    report(checkSettings(config));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    report([fail('settings', error.message)]);
    return null;
  }
}

async function checkAll(config: Config, report: (findings: readonly Finding[]) => void): Promise<void> {
  report(await findingsOf('disk', () => checkDisks(config)));
  let api_bases: string[] = [];
  const failed = await findingsOf(
    'database',
    async () => {
      const box = await readBox(config);
      await withDatabaseUrl(config, 'paydesk doctor', async (url) => {
        ({ api_bases } = await checkDatabase(url, config, box, report));
      });
      return [];
    },
    { limit_ms: 60_000 },
  );
  report(failed);
  const network = [
    findingsOf('redis', () => checkRedis(config)),
    findingsOf('mail', () => checkMail(config)),
    findingsOf('sinks', () => checkSinks(config)),
    findingsOf('provider', () => checkProviders(api_bases)),
    findingsOf('public address', () => checkPublicAddress(config)),
  ];
  for (const findings of network) report(await findings);
}
