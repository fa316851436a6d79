/** Reads the files by which operators deploy Paydesk, for the tests that check them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const repository = fileURLToPath(new URL('../../../../..', import.meta.url));

export const readRepository = (...path: string[]): string => readFileSync(join(repository, ...path), 'utf8');

/** The documents of a YAML file; anchors and merges are resolved. */
export function readYaml<T>(...path: string[]): T[] {
  return parseAllDocuments(readRepository(...path), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path.join('/')}: ${String(document.errors[0])}`);
    return document.toJS() as T;
  });
}

/** The names of the files in a folder of the repository. */
export const filesOf = (...path: string[]): string[] => readdirSync(join(repository, ...path)).sort();

/** `${NAME:-default}` as Compose reads it where no variable is set. */
export const withDefaults = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

/** An object of Kubernetes, as far as the tests look into it. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
}

/** Where the published types of a kind are. `networking.k8s.io/v1` is a folder, and so is `v1`. */
const moduleOf = ({ apiVersion, kind }: Resource): string => `kubernetes-models/${apiVersion}/${kind}`;

/** The problems that the schema of its kind finds: wrong types, wrong values, missing members. */
export async function schemaProblems(resource: Resource): Promise<string[]> {
  const models = (await import(moduleOf(resource))) as Record<
    string,
    new (data: object) => { validate(): void }
  >;
  const Model = models[resource.kind];
  if (Model === undefined) return [`there is no kind ${resource.kind} in ${resource.apiVersion}`];
  try {
    new Model(resource).validate();
    return [];
  } catch (error) {
    return [`${resource.kind} ${resource.metadata.name}: ${(error as Error).message}`];
  }
}

/** The members of a kind, as its published declaration has them: each with the file of its own members, if it has some. */
function membersOf(file: string): Map<string, string | null> {
  const text = readFileSync(file, 'utf8');
  const files = new Map(
    [...text.matchAll(/^import \{ (\w+) \} from "(.+)";$/gm)].map(([, type = '', path = '']) => [
      type,
      path.startsWith('.') ? join(dirname(file), path) : join(repository, 'node_modules', path),
    ]),
  );
  const body = text.slice(text.indexOf('export interface'), text.indexOf('\n}'));
  return new Map(
    [...body.matchAll(/^ {4}"(\w+)"\??: (?:Array<)?(\w+|\{|")/gm)].map(([, member = '', type = '']) => {
      const path = `${files.get(type) ?? ''}.d.ts`;
      const hasMembers = files.has(type) && readFileSync(path, 'utf8').includes('export interface');
      return [member, hasMembers ? path : null];
    }),
  );
}

/**
 * The paths of members that the types of Kubernetes do not know. The schemas allow them; a cluster ignores them, so a
 * misspelt one has no effect.
 */
export function unknownMembers(resource: Resource): string[] {
  const look = (value: unknown, file: string, path: string): string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => look(item, file, path));
    if (typeof value !== 'object' || value === null) return [];
    const known = membersOf(file);
    return Object.entries(value).flatMap(([member, inner]) => {
      const at = `${path}.${member}`;
      const next = known.get(member);
      if (next === undefined) return [at];
      return next === null ? [] : look(inner, next, at);
    });
  };
  return look(resource, join(repository, 'node_modules', `${moduleOf(resource)}.d.ts`), resource.kind);
}
