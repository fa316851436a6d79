/** Ends the command when the reader of its output ends, as `head` does, with the exit code of SIGPIPE (D-645). */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
}
