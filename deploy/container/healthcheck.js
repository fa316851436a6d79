/**
 * The health check of the container: prints the answer, and exits 0 if all is well. An argument is another path of the
 * port for operators, such as /readyz.
 */
const [path = '/healthz'] = process.argv.slice(2);
const port = process.env.PAYDESK_OPS_PORT || '9090';

try {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_500) });
  console.log(`${path}: ${answer.status} ${await answer.text()}`);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.log(`${path}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
