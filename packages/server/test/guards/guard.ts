import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tagsIn, withoutTagged } from './tags.ts';

/** A piece of a migration, which is never edited, and its text without the guard. */
export interface SchemaEdit {
  /** Below packages/server/migrations. */
  file: string;
  /** Found exactly once. */
  text: string;
  instead: string;
}

/** Something without which money could be lost, moved twice or made up. */
export interface Guard {
  name: string;
  /** The error that it prevents. */
  prevents: string;
  /** The tags that mark it in the sources; without them, its name with hyphens. */
  tags?: readonly string[];
  /** Its pieces in the schema. */
  schema?: readonly SchemaEdit[];
  /** The scene of the simulation that leads to where it is needed; without one, any. */
  scene?: string;
  /**
   * Other guards that prevent the same error: without this one alone, no error occurs. A separate guard in this list
   * removes both, and then the error occurs.
   */
  behind?: string;
}

const server = fileURLToPath(new URL('../../', import.meta.url));

/** The tags that mark a guard in the sources. */
export const tagsOf = ({ name, tags, schema }: Guard): readonly string[] =>
  tags ?? (schema === undefined ? [name.replace(/[’']/g, '').replace(/[^a-z]+/g, '-')] : []);

/** The sources that bear tags, by their path below packages/server, with the names of their tags. */
export function taggedSources(): Map<string, Set<string>> {
  const files = readdirSync(join(server, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join('src', name));
  const tagged = files.map(
    (file) => [file, new Set(tagsIn(file, read(file)).map(({ name }) => name))] as const,
  );
  return new Map(tagged.filter(([, names]) => names.size > 0));
}

const read = (file: string): string => readFileSync(join(server, file), 'utf8');

/**
 * The files that change when a guard is removed, by their path below packages/server, with their text without it.
 *
 * @param sources the result of `taggedSources`
 * @throws if a tag is missing, or a text does not occur exactly once in the schema
 */
export function without(
  guard: Guard,
  sources: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, string> {
  const tags = tagsOf(guard);
  const changed = new Map<string, string>();
  for (const tag of tags) {
    const files = [...sources].filter(([, names]) => names.has(tag)).map(([file]) => file);
    if (files.length === 0) throw new Error(`"${guard.name}": no source has the tag "guard: ${tag}"`);
    for (const file of files) changed.set(file, withoutTagged(file, read(file), tags));
  }
  for (const { file, text, instead } of guard.schema ?? []) {
    const path = join('migrations', file);
    const before = changed.get(path) ?? read(path);
    const times = before.split(text).length - 1;
    if (times !== 1) throw new Error(`"${guard.name}": ${path} has its text ${times} times: ${text}`);
    changed.set(
      path,
      before.replace(text, () => instead),
    );
  }
  return changed;
}
