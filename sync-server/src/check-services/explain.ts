/** What an operator can do about a service that failed, in plain words. */
import { ModelFailure } from '@parley/coach/model';
import { PaymentFailure } from '../payments/index.ts';
import { SpeechFailure } from '../speech/index.ts';
import { UnusableAnswer } from './calls.ts';

/** What a failure is about, in the words in which the operator configured it. */
export interface Service {
  /** Such as `OpenAI`, or the host of a server of one's own. */
  name: string;
  keyVariable: string;
  /** What says where the service is. */
  addressVariable: string;
  /** What names the model; null where there is none to choose. */
  modelVariable: string | null;
  model: string | null;
  /** Where more can be paid for; null for a server of one's own. */
  accountPage: string | null;
}

export function explain(error: unknown, service: Service): string {
  if (error instanceof UnusableAnswer) return `${error.message} ${forModel(service)}`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${service.name} did not finish in time. Try again; if it stays so, look at the status page of the service and at the load of your own server.`;
  const isKnown = error instanceof ModelFailure || error instanceof SpeechFailure || error instanceof PaymentFailure;
  if (!isKnown) return 'This is a fault of ours. Please report it with the version of the server.';
  const clues = cluesOf(error);
  const seen = [...new Set([...clues.codes, ...(clues.status === null ? [] : [String(clues.status)])])];
  return `${sentenceOf(error, clues, service)}${seen.length > 0 ? ` (${seen.join(', ')})` : ''}`;
}

type Failure = ModelFailure | SpeechFailure | PaymentFailure;

function sentenceOf(error: Failure, { status, codes }: Clues, service: Service): string {
  const { name, keyVariable, addressVariable, accountPage } = service;
  const has = (...wanted: string[]): boolean => wanted.some((code) => codes.includes(code));
  if (has('model_not_found')) return forUnknownModel(service);
  if (has('insufficient_quota', 'billing_hard_limit_reached') || status === 402)
    return `The account at ${name} has no credit left. Add credit${accountPage === null ? '' : ` at ${accountPage}`}, then run this again.`;
  if (has('ENOTFOUND', 'EAI_AGAIN'))
    return `The name of ${name} cannot be found from here. Check ${addressVariable} and the DNS of this machine.`;
  if (has('ECONNREFUSED')) return `Nothing listens at ${name}. Start the server there, or correct ${addressVariable}.`;
  switch (error.reason) {
    case 'key_refused':
      return `${name} refused the key. Check that ${keyVariable} is complete and not revoked, that it belongs to this address or region (${addressVariable}), and that it may use what is asked for.`;
    case 'busy': {
      const waitMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
      const when = waitMs === null ? 'in a minute' : `in ${Math.max(1, Math.ceil(waitMs / 1_000))} s`;
      return `${name} takes no more requests just now. Run this again ${when}; if it stays so, raise the limits of the account${accountPage === null ? '' : ` at ${accountPage}`}.`;
    }
    case 'declined':
      return `${name} declined a harmless question. ${forModel(service)}`;
    case 'malformed':
      return `${name} answered in a form that cannot be used. ${forModel(service)}`;
    case 'refused':
    case 'forged':
      return `${name} refused the request. Check that ${keyVariable} belongs to the account that you mean, and may read products and prices.`;
    case 'unreachable':
      if (status === 404) return `${name} does not know this address or this model. ${forUnknownModel(service)}`;
      if (status !== null && status >= 400 && status < 500) return `${name} refused the request. ${forModel(service)}`;
      return status === null
        ? `No answer came from ${name}. Check ${addressVariable}, the firewall, and that the server there runs.`
        : `${name} is in trouble. Try again later, and look at the status page of the service.`;
  }
}

const forModel = ({ model, modelVariable }: Service): string =>
  modelVariable === null
    ? 'Try again; if it stays so, report it.'
    : `Check ${modelVariable} (${model ?? 'not set'}): the model may be too small, or of another kind.`;

const forUnknownModel = ({ name, model, modelVariable, addressVariable }: Service): string =>
  modelVariable === null
    ? `Check ${addressVariable}.`
    : `${name} has no model ${model ?? ''} for this key. Choose another in ${modelVariable}, and check ${addressVariable}.`;

interface Clues {
  status: number | null;
  /** Such as `model_not_found` or `ECONNREFUSED`. */
  codes: string[];
}

const CODE = /\b(E[A-Z_]{4,}|[a-z]+(?:_[a-z]+)+)\b/g;
const STATUS = /(?:^|\s|: )([45]\d\d)\b/;

/** Whole messages are never shown: they may hold an address with a password, or what a service repeats of the key. */
function cluesOf(error: Error): Clues {
  let status: number | null = null;
  const codes: string[] = [];
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    const given = at as { status?: unknown; statusCode?: unknown; code?: unknown };
    for (const said of [given.status, given.statusCode, Number(STATUS.exec(at.message)?.[1] ?? Number.NaN)])
      if (status === null && typeof said === 'number' && said >= 400) status = said;
    const words = `${at.message} ${typeof given.code === 'string' ? given.code : ''}`;
    codes.push(...[...words.matchAll(CODE)].map(([code]) => code).filter((code) => KNOWN_CODES.has(code)));
  }
  return { status, codes: [...new Set(codes)] };
}

const KNOWN_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'billing_hard_limit_reached',
  'content_filter',
  'insufficient_quota',
  'invalid_api_key',
  'invalid_value',
  'model_not_found',
  'rate_limit_exceeded',
  'server_error',
  'unknown_parameter',
  'unsupported_country_region_territory',
  'unsupported_parameter',
  'unsupported_value',
]);
