/** Stripe's own client, told to leave to us what it would decide by itself. */
import { Stripe } from 'stripe';

export interface StripeAccess {
  secretKey: string;
  /** Where Stripe is, if it is not Stripe itself: the local twin's `http://127.0.0.1:port`. */
  address?: URL;
  /** For one call, before it counts as lost. */
  timeoutMs?: number;
  /** Repeated calls carry the same idempotency key, so that nothing happens twice. */
  maxNetworkRetries?: number;
}

const TIMEOUT_MS = 20_000;
const MAX_NETWORK_RETRIES = 2;

export function connectStripe({ secretKey, address, timeoutMs, maxNetworkRetries }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    timeout: timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: maxNetworkRetries ?? MAX_NETWORK_RETRIES,
    // It would tell Stripe how long our last calls took.
    telemetry: false,
    ...(address === undefined ? {} : placeOf(address)),
  });
}

const placeOf = ({ protocol, hostname, port }: URL) => {
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  };
};
