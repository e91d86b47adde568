/**
 * Maps the provider's errors, once, to the failure that features know. The description is in our own words, because the provider's message
 * may contain the learner's words or the key.
 */
import { APIConnectionError, APIError } from 'openai';
import { type FallibleService, ServiceFailure, type ServiceFailureReason } from '@parley/domain';

interface ProviderErrorDetails {
  /** The HTTP status; null when there was no response or the failure came later. */
  status?: number | null;
  retryAfterMs?: number | null;
  /** Whether a retry can help. */
  isTransient?: boolean;
  /** The provider rejected the request and charges nothing. */
  wasRejected?: boolean;
  /** The address is right but has no model of this name. */
  isUnknownModel?: boolean;
  /** The request does not fit into the model's context. */
  isTooLong?: boolean;
}

/** The failure with the data that only these adapters need, for deciding about retries and charges. */
export class ProviderError extends ServiceFailure {
  readonly status: number | null;
  readonly isTransient: boolean;
  /** The provider did nothing that it could charge for: there was no connection, or it answered with an error. */
  readonly wasRejected: boolean;
  readonly isUnknownModel: boolean;
  readonly isTooLong: boolean;

  constructor(
    service: FallibleService,
    reason: ServiceFailureReason,
    description: string,
    details: ProviderErrorDetails = {},
  ) {
    super(service, reason, { description, retryAfterMs: details.retryAfterMs ?? null });
    this.status = details.status ?? null;
    this.isTransient = details.isTransient ?? false;
    this.wasRejected = details.wasRejected ?? this.status !== null;
    this.isUnknownModel = details.isUnknownModel ?? false;
    this.isTooLong = details.isTooLong ?? false;
  }

  /** The provider does not know the requested path. */
  get isUnknownPath(): boolean {
    return (this.status === 404 && !this.isUnknownModel) || this.status === 405 || this.status === 501;
  }
}

/** The provider's answer could not be parsed. A retry may help. */
export const malformedError = (service: FallibleService, description: string): ProviderError =>
  new ProviderError(service, 'malformed', description, { isTransient: true });

/** Failures before anything was sent. A connection that breaks later reports `ECONNRESET` or similar. */
const CONNECTION_FAILURES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Converts any error of the provider's client. */
export function toProviderError(service: FallibleService, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof APIConnectionError) {
    const code = rootErrorCode(error);
    const wasRejected = CONNECTION_FAILURES.has(code);
    return new ProviderError(service, 'unreachable', `no connection (${code})`, { isTransient: true, wasRejected });
  }
  if (error instanceof APIError) return providerErrorFromResponse(service, error);
  if (error instanceof SyntaxError) return malformedError(service, 'the answer is no JSON');
  // `fetch` throws a bare TypeError when a body breaks off.
  return new ProviderError(service, 'unreachable', `the line broke (${rootErrorCode(error)})`, { isTransient: true });
}

/** Converts an error that arrived as an event after the answer had started. */
export const providerErrorFromEvent = (service: FallibleService, code: string | null | undefined): ProviderError =>
  providerErrorFromCode(service, code ?? null, {});

/** OpenAI sends a code. Ollama and vLLM only send a message, with the status of an unknown path. */
const UNKNOWN_MODEL = /model\b.*(not found|does not exist)/i;
/** llama.cpp and vLLM only say so in their message. */
const TOO_LONG = /\bcontext (size|length)\b/i;

function providerErrorFromResponse(
  service: FallibleService,
  { status, code, message, headers, requestID }: APIError,
): ProviderError {
  const providerCode = typeof code === 'string' ? code : null;
  const isUnknownModel = providerCode === 'model_not_found' || (status === 404 && UNKNOWN_MODEL.test(message));
  const isTooLong = providerCode === 'context_length_exceeded' || (status === 400 && TOO_LONG.test(message));
  const knownCode = isUnknownModel ? 'model_not_found' : isTooLong ? 'context_length_exceeded' : null;
  return providerErrorFromCode(service, providerCode ?? knownCode, {
    ...(typeof status === 'number' ? { status } : {}),
    retryAfterMs: parseRetryAfter(headers),
    requestId: requestID ?? null,
    isUnknownModel,
    isTooLong,
  });
}

/** A realtime connection opens with any key: a refused one arrives as an event, without a status, before the connection is closed. */
const KEY_REFUSED = /^(invalid_api_key|account_deactivated|unsupported_country_region_territory)$/;
const DECLINED = /content_filter|content_policy|policy_violation|bio_policy|invalid_prompt|safety/;
const QUOTA_EXHAUSTED = /insufficient_quota|billing/;

function providerErrorFromCode(
  service: FallibleService,
  code: string | null,
  { requestId, ...details }: ProviderErrorDetails & { requestId?: string | null },
): ProviderError {
  const status = details.status ?? null;
  const parts = [status, code, requestId].filter((part) => part !== null && part !== undefined).map(String);
  const description = parts.filter((part) => /^[\w.-]{1,80}$/.test(part)).join(' ') || 'the provider failed';
  if (code !== null && DECLINED.test(code)) return new ProviderError(service, 'declined', description, details);
  if (status === 401 || status === 403 || (code !== null && KEY_REFUSED.test(code)))
    return new ProviderError(service, 'key_refused', description, details);
  // Waiting does not help: the operator has to add credit.
  if (status === 402 || (code !== null && QUOTA_EXHAUSTED.test(code)))
    return new ProviderError(service, 'key_refused', description, details);
  if (status === 429 || code === 'rate_limit_exceeded')
    return new ProviderError(service, 'busy', description, { ...details, isTransient: true });
  const isRetryable = status === null || status === 408 || status === 409 || (status >= 500 && status !== 501);
  return new ProviderError(service, 'unreachable', description, { ...details, isTransient: isRetryable });
}

/** RFC 9110, 10.2.3: seconds or a date. OpenAI and Azure also send `retry-after-ms`. */
function parseRetryAfter(headers: Headers | undefined): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const providerCode = headers?.get('retry-after') ?? '';
  const waitMs = /^[\d.]+$/.test(providerCode)
    ? Number.parseFloat(providerCode) * 1_000
    : Date.parse(providerCode) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

/** Returns the innermost error code, such as `ECONNREFUSED`. */
function rootErrorCode(error: unknown): string {
  let code = 'unknown';
  for (let current = error; current instanceof Error; current = current.cause)
    if ('code' in current && typeof current.code === 'string') code = current.code;
  return code;
}
