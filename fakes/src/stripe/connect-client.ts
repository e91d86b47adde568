/** The real client, connected to the fake. */
import { Stripe } from 'stripe';

export interface ClientOptions {
  key: string;
  /** Address of the fake. */
  url: string;
  timeoutMs?: number;
  maxNetworkRetries?: number;
}

export function connectClient({ key, url, timeoutMs = 20_000, maxNetworkRetries = 0 }: ClientOptions): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    timeout: timeoutMs,
    maxNetworkRetries,
    telemetry: false,
  });
}
