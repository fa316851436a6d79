declare module '*.css';

/** Vite's lazy imports of many files by a pattern. */
interface ImportMeta {
  glob: <Module>(patterns: readonly string[]) => Readonly<Record<string, () => Promise<Module>>>;
}
