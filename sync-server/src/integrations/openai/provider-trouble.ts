/** What went wrong with the provider, in our words alone: theirs may hold what a learner said, or the key. */
import { APIConnectionError, APIError } from 'openai';
import { ModelFailure } from '@parley/coach/model';
import { SpeechFailure } from '../../speech/index.ts';

interface TroubleDetails {
  /** HTTP's; null where there was no answer, or where it went wrong later. */
  status?: number | null;
  retryAfterMs?: number | null;
  /** Whether asking again can help. */
  isTransient?: boolean;
  /** It never came to a call. */
  isTurnedAway?: boolean;
  /** The address is right, and has no model of this name. */
  isUnknownModel?: boolean;
}

export class ProviderTrouble extends Error {
  readonly reason: ModelFailure['reason'];
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly isTransient: boolean;
  /** The provider has done nothing that it could charge: there was no connection, or it answered with an error. */
  readonly isTurnedAway: boolean;
  readonly isUnknownModel: boolean;

  constructor(reason: ModelFailure['reason'], what: string, details: TroubleDetails = {}) {
    super(what);
    this.reason = reason;
    this.status = details.status ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.isTransient = details.isTransient ?? false;
    this.isTurnedAway = details.isTurnedAway ?? this.status !== null;
    this.isUnknownModel = details.isUnknownModel ?? false;
  }

  /** The provider does not know the path that was asked for. */
  get isUnknownPath(): boolean {
    return (this.status === 404 && !this.isUnknownModel) || this.status === 405 || this.status === 501;
  }
}

/** An answer that is none. */
export const malformed = (what: string): ProviderTrouble =>
  new ProviderTrouble('malformed', what, { isTransient: true });

export const asModelFailure = (error: unknown): unknown =>
  error instanceof ProviderTrouble
    ? new ModelFailure(error.reason, { cause: error, retryAfterMs: error.retryAfterMs })
    : error;

export function asSpeechFailure(error: unknown): unknown {
  if (!(error instanceof ProviderTrouble)) return error;
  const reason = error.reason === 'declined' ? 'malformed' : error.reason;
  return new SpeechFailure(reason, { cause: error, retryAfterMs: error.retryAfterMs });
}

/** Before anything was sent. A line that breaks later says `ECONNRESET` and its like. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whatever the provider's client throws. */
export function troubleOf(error: unknown): ProviderTrouble {
  if (error instanceof ProviderTrouble) return error;
  if (error instanceof APIConnectionError) {
    const code = networkCode(error);
    const isTurnedAway = NO_CONNECTION.has(code);
    return new ProviderTrouble('unreachable', `no connection (${code})`, { isTransient: true, isTurnedAway });
  }
  if (error instanceof APIError) return troubleOfAnswer(error);
  if (error instanceof SyntaxError) return malformed('the answer is no JSON');
  // `fetch` says a bare TypeError when a body breaks off.
  return new ProviderTrouble('unreachable', `the line broke (${networkCode(error)})`, { isTransient: true });
}

/** An error that came as an event, when the answer had already begun. */
export const troubleOfEvent = (code: string | null | undefined): ProviderTrouble => troubleOfCode(code ?? null, {});

/** OpenAI has a code for it; Ollama and vLLM say it in words alone, with the status of an unknown path. */
const UNKNOWN_MODEL = /model\b.*(not found|does not exist)/i;

function troubleOfAnswer({ status, code, message, headers, requestID }: APIError): ProviderTrouble {
  const given = typeof code === 'string' ? code : null;
  const isUnknownModel = given === 'model_not_found' || (status === 404 && UNKNOWN_MODEL.test(message));
  return troubleOfCode(given ?? (isUnknownModel ? 'model_not_found' : null), {
    ...(typeof status === 'number' ? { status } : {}),
    retryAfterMs: retryAfterOf(headers),
    requestId: requestID ?? null,
    isUnknownModel,
  });
}

const DECLINED = /content_filter|content_policy|policy_violation|bio_policy|invalid_prompt|safety/;
const NO_MONEY = /insufficient_quota|billing/;

function troubleOfCode(
  code: string | null,
  { requestId, ...details }: TroubleDetails & { requestId?: string | null },
): ProviderTrouble {
  const status = details.status ?? null;
  const known = [status, code, requestId].filter((part) => part !== null && part !== undefined).map(String);
  const what = known.filter((part) => /^[\w.-]{1,80}$/.test(part)).join(' ') || 'the provider failed';
  if (code !== null && DECLINED.test(code)) return new ProviderTrouble('declined', what, details);
  if (status === 401 || status === 403) return new ProviderTrouble('key_refused', what, details);
  if (status === 402 || (code !== null && NO_MONEY.test(code))) return new ProviderTrouble('busy', what, details);
  if (status === 429 || code === 'rate_limit_exceeded')
    return new ProviderTrouble('busy', what, { ...details, isTransient: true });
  const isPassing = status === null || status === 408 || status === 409 || (status >= 500 && status !== 501);
  return new ProviderTrouble('unreachable', what, { ...details, isTransient: isPassing });
}

/** RFC 9110, 10.2.3: seconds or a date; `retry-after-ms` is OpenAI's and Azure's own. */
function retryAfterOf(headers: Headers | undefined): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const given = headers?.get('retry-after') ?? '';
  const waitMs = /^[\d.]+$/.test(given) ? Number.parseFloat(given) * 1_000 : Date.parse(given) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

/** `ECONNREFUSED` and its like, which stands at the end of the causes. */
function networkCode(error: unknown): string {
  let code = 'unknown';
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') code = at.code;
  return code;
}
