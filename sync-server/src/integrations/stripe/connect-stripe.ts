/** Creates the Stripe client with our own timeouts and without telemetry. */
import { Stripe } from 'stripe';

export interface StripeAccess {
  secretKey: string;
  /** Address of the API when it is not Stripe's: the local fake's `http://127.0.0.1:port`. */
  baseUrl?: URL;
  /** Limit for one request. */
  timeoutMs?: number;
  /** Retries use the same idempotency key, so nothing happens twice. */
  maxNetworkRetries?: number;
}

const TIMEOUT_MS = 20_000;
const MAX_NETWORK_RETRIES = 2;

export function connectStripe({ secretKey, baseUrl, timeoutMs, maxNetworkRetries }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: maxNetworkRetries ?? MAX_NETWORK_RETRIES,
    // Telemetry would send Stripe the duration of earlier requests.
    telemetry: false,
    ...(baseUrl === undefined ? {} : hostOptions(baseUrl)),
  });
}

const hostOptions = ({ protocol, hostname, port }: URL) => {
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  };
};
