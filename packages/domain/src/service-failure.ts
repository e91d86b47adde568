/** The failure of an external service, as reported by its adapter after it has retried transient failures. */

/** The part of the product that fails for the learner. A realtime voice is the coach. */
export const FALLIBLE_SERVICES = ['coach', 'speech'] as const;
export type FallibleService = (typeof FALLIBLE_SERVICES)[number];

export const SERVICE_FAILURES = [
  /** The provider rejects the API key, or its account has no credit left. */
  'key_refused',
  /** The provider's rate limit is exhausted. */
  'busy',
  /** A network error, a provider error or a timeout. */
  'unreachable',
  /** The answer was invalid, even after a retry. */
  'malformed',
  /** The provider refuses to answer this request. */
  'declined',
] as const;
export type ServiceFailureReason = (typeof SERVICE_FAILURES)[number];

export interface ServiceFailureOptions extends ErrorOptions {
  /** In our own words, because the provider's message may contain the learner's words or the key. Defaults to the reason. */
  description?: string;
  retryAfterMs?: number | null;
}

/** Features pass it on unchanged; the HTTP layer maps it to a code of the contract. */
export class ServiceFailure extends Error {
  readonly service: FallibleService;
  readonly reason: ServiceFailureReason;
  /** The provider's requested delay; null when it gave none. */
  readonly retryAfterMs: number | null;

  constructor(service: FallibleService, reason: ServiceFailureReason, options: ServiceFailureOptions = {}) {
    super(options.description ?? reason, options);
    this.service = service;
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
