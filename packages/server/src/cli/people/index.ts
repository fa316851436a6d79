/** `paydesk person`: what is kept about one person. */
import type { CommandContext } from '../shared/command.ts';
import type { Usage } from '../shared/usage.ts';

const usage: Usage = {
  name: 'person',
  about: 'export or erase what is kept about one person (docs/retention.md)',
  description: [
    'export prints as JSON every row of every table that names the person, without secrets and sealed values.',
    'erase ends all access of the person and deletes what the books do not need: the account keeps its id, without name, address and password. What is sealed stays as it is, and names the id. It refuses while the person has PTK, an order, a hold, a refund or a complaint that is open, owns a merchant or works for the platform. It can be repeated, and it cannot be undone.',
  ],
  argument: { name: 'export|erase', about: 'what to do' },
  options: [
    { name: 'id', value: 'USER_ID', about: 'the person by id' },
    { name: 'email', value: 'ADDRESS', about: 'the person by mail address' },
  ],
  exits: { 0: 'it is done', 1: 'there is no such person, or something is open; all of it is named' },
  example: ['paydesk person export --email ada@example.com > ada.json'],
};

async function load(): Promise<(context: CommandContext) => Promise<number>> {
  return (await import('./person.ts')).personCommand;
}

export const person = { usage, load };
