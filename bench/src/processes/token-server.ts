/**
 * The authorization library that the service uses, alone, with its own store in memory: no database, no rate
 * limits, no log. Its rate is the highest that the library allows for issuing tokens.
 */
import type { Server } from 'node:http';
import { builtFiles } from '../built-files.ts';

interface Library {
  Provider: new (issuer: string, configuration: object) => { listen(port: number, host: string): Server };
}

const { loadLibrary } = (await import(builtFiles.oauthLibrary.href)) as {
  loadLibrary: () => Promise<Library>;
};
const { Provider } = await loadLibrary();

const [port = '', secret = '', clients = ''] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: Array.from({ length: Number(clients) }, (_, i) => ({
    client_id: `client-${i}`,
    client_secret: `${secret}${i}`,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post',
  })),
  clientAuthMethods: ['client_secret_post'],
  features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  formats: { bitsOfOpaqueRandomness: 256 },
  scopes: ['merchant_payments.create', 'merchant_payments.read'],
  ttl: { ClientCredentials: 3_600 },
});
const server = provider.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
