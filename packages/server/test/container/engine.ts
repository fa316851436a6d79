/** What the container test asks of podman, or of what stands in for it. */
import type { Ran } from './command.ts';

/** A process of the image that runs. */
export interface Box {
  /** Runs the health check of the image. */
  isHealthy(path?: string): Promise<boolean>;
  /** Runs a shell command inside. */
  inside(script: string): Promise<Ran>;
  output(): string;
  /** Ends it with SIGTERM, and gives its exit code and the milliseconds that took. */
  stop(): Promise<{ code: number | null; took_ms: number }>;
}

export interface Image {
  size_bytes: number;
  /** The settings of the image that are wrong, in words. */
  problems: string[];
}

export interface Engine {
  /** What it is, for the report. */
  name: string;
  build(): Promise<Image>;
  /** Runs a command of the program to its end. */
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran>;
  start(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Box;
}

/** What both kinds of engine need. */
export interface Ingredients {
  /** The root of the repository. */
  root: string;
  /** A folder for whatever the engine writes. */
  home: string;
  /** The root of a small Debian system, as a tar file. */
  base_tar: string;
  /** The program Node.js of the version that the image has. */
  node: string;
  /** The folder of npm. */
  npm: string;
  log: (line: string) => void;
}
