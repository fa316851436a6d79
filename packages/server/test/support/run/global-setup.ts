import type { TestProject } from 'vitest/node';
import { citusTemplate, dropCitusTemplate } from '../servers/citus.ts';
import { migratedTemplate, sharedServers } from '../servers/servers.ts';
import { debianPostgresBin } from './tools.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database of the coordinator of a cluster that the tests of the project use; null: they use one server. */
    citusUrl: string | null;
    /** A server's maintenance database, as its superuser. */
    adminUrl: string;
    /** The name of the database that has every migration applied and no connections. */
    templateDatabase: string;
    redisUrl: string;
    /** The directory of the programs of the PostgreSQL under test, or null for the packaged one. */
    postgresBin: string | null;
  }
}

/** The projects that run on the oldest supported PostgreSQL, or the oldest later one that Debian has. */
const oldest = ['scenarios-pg15', 'scenarios-partitioned'];

/** Gives a project a PostgreSQL with a migrated template database, and a Redis. Projects of one run share them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = oldest.includes(project.name) ? debianPostgresBin() : null;
  const servers = await sharedServers(bin);
  const citus_url = project.name === 'scenarios-citus' ? (process.env.CITUS_URL ?? null) : null;
  project.provide('citusUrl', citus_url);
  if (citus_url !== null) {
    const template = await citusTemplate(citus_url);
    project.provide('adminUrl', citus_url);
    project.provide('templateDatabase', template);
    project.provide('redisUrl', servers.redisUrl);
    project.provide('postgresBin', null);
    return async () => {
      await dropCitusTemplate(citus_url, template);
      await servers.release();
    };
  }
  try {
    project.provide('adminUrl', servers.adminUrl);
    project.provide(
      'templateDatabase',
      await migratedTemplate(servers, project.name === 'scenarios-partitioned'),
    );
    project.provide('redisUrl', servers.redisUrl);
    project.provide('postgresBin', bin);
  } catch (error) {
    await servers.release();
    throw error;
  }
  return () => servers.release();
}
