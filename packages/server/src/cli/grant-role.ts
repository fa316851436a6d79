import { checkSchema, grantRole } from '../base/pg/index.ts';
import { type CommandContext, withDatabaseUrl } from './shared/command.ts';

/** `paydesk grant-role NAME`: gives a database role what the service needs. Run it with the address of the owner. */
export async function grantRoleCommand({ argument: role, config }: CommandContext): Promise<number> {
  const created = await withDatabaseUrl(config, 'paydesk grant-role', async (url) => {
    await checkSchema(url);
    return grantRole(url, role);
  });
  if (created) console.log(`Created the role ${role}, without a password.`);
  console.log(`The role ${role} may run the service. It owns nothing.`);
  return 0;
}
