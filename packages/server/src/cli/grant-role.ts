import { checkSchema, grantRole } from '../base/pg/index.ts';
import { type CommandContext, readArgument, withDatabaseUrl } from './shared/command.ts';

/** `paydesk grant-role NAME`: gives a database role what the service needs. Run it with the address of the owner. */
export async function grantRoleCommand({ args, config }: CommandContext): Promise<number> {
  const { argument: role } = readArgument(args, 'role name', {});
  const created = await withDatabaseUrl(config, 'paydesk grant-role', async (url) => {
    await checkSchema(url);
    return grantRole(url, role);
  });
  if (created) console.log(`Created the role ${role}, without a password.`);
  console.log(`The role ${role} may run the service. It owns nothing.`);
  return 0;
}
