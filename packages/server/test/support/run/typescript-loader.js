import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Module hooks that strip the types of our sources, for processes that tests start without a build. A test that starts many
 * processes names a directory in PAYDESK_STRIPPED, which keeps each text after it was stripped.
 */

const kept_in = process.env.PAYDESK_STRIPPED;

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const text = await readFile(fileURLToPath(url), 'utf8');
  const source = kept_in === undefined ? await stripped(url, text) : await kept(kept_in, url, text);
  return { format: 'module', source, shortCircuit: true };
}

/**
 * @param {string} directory
 * @param {string} url
 * @param {string} text
 */
async function kept(directory, url, text) {
  // The same text below another directory, as in a clone, is stripped once.
  const name = join(
    directory,
    createHash('sha256').update(basename(url)).update('\0').update(text).digest('hex'),
  );
  const known = await readFile(name, 'utf8').catch(() => null);
  if (known !== null) return known;
  const source = await stripped(url, text);
  await writeFile(`${name}.${process.pid}`, source);
  await rename(`${name}.${process.pid}`, name);
  return source;
}

/**
 * @param {string} url
 * @param {string} text
 */
async function stripped(url, text) {
  // Half of the start of a process that finds all it needs.
  const { default: typescript } = await import('typescript');
  const { ModuleKind, ScriptTarget } = typescript;
  const { outputText } = typescript.transpileModule(text, {
    fileName: fileURLToPath(url),
    compilerOptions: {
      module: ModuleKind.ESNext,
      target: ScriptTarget.ES2023,
      verbatimModuleSyntax: true,
      inlineSourceMap: true,
    },
  });
  return outputText;
}
