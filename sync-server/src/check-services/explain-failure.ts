/** Explains to an operator what to do about a failing service. */
import { ServiceFailure } from '@parley/domain';
import { PaymentFailure } from '../ports/payments/index.ts';
import { UnusableAnswer } from './service-calls.ts';

/** The service in the terms of its configuration. */
export interface Service {
  /** For example `OpenAI`, or the host of a self-hosted server. */
  name: string;
  keyVariable: string;
  /** The variable that contains the service's address. */
  addressVariable: string;
  /** The variable that names the model, or null when there is no choice. */
  modelVariable: string | null;
  model: string | null;
  /** The page where more credit can be bought, or null for a self-hosted server. */
  accountPage: string | null;
}

export function explain(error: unknown, service: Service): string {
  if (error instanceof UnusableAnswer) return `${error.message} ${forModel(service)}`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `${service.name} did not finish in time. Try again; if this persists, check the status page of the service or the load of your own server.`;
  const isKnown = error instanceof ServiceFailure || error instanceof PaymentFailure;
  if (!isKnown) return 'This is a bug in Parley. Please report it with the server version.';
  const clues = cluesOf(error);
  const seen = [...new Set([...clues.codes, ...(clues.status === null ? [] : [String(clues.status)])])];
  return `${sentenceOf(error, clues, service)}${seen.length > 0 ? ` (${seen.join(', ')})` : ''}`;
}

type Failure = ServiceFailure | PaymentFailure;

function sentenceOf(error: Failure, { status, codes }: Clues, service: Service): string {
  const { name, keyVariable, addressVariable, accountPage } = service;
  const has = (...wanted: string[]): boolean => wanted.some((code) => codes.includes(code));
  if (has('model_not_found')) return forUnknownModel(service);
  if (has('insufficient_quota', 'billing_hard_limit_reached') || status === 402)
    return `The account at ${name} has no credit left. Add credit${accountPage === null ? '' : ` at ${accountPage}`}, then run this again.`;
  if (has('ENOTFOUND', 'EAI_AGAIN'))
    return `The host name of ${name} cannot be resolved. Check ${addressVariable} and the DNS of this machine.`;
  if (has('ECONNREFUSED')) return `No server is listening at ${name}. Start it, or correct ${addressVariable}.`;
  switch (error.reason) {
    case 'key_refused':
      return `${name} refused the key. Check that ${keyVariable} is complete and not revoked, that it belongs to this address or region (${addressVariable}), and that it has permission for this service.`;
    case 'busy': {
      const waitMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
      const when = waitMs === null ? 'in a minute' : `in ${Math.max(1, Math.ceil(waitMs / 1_000))} s`;
      return `${name} is rate limiting requests. Run this again ${when}; if this persists, raise the limits of the account${accountPage === null ? '' : ` at ${accountPage}`}.`;
    }
    case 'declined':
      return `${name} declined a harmless question. ${forModel(service)}`;
    case 'malformed':
      return `${name} returned an answer in an unusable format. ${forModel(service)}`;
    case 'refused':
    case 'forged':
      return `${name} refused the request. Check that ${keyVariable} belongs to the right account and may read products and prices.`;
    case 'unreachable':
      if (status === 404) return `${name} does not know this address or this model. ${forUnknownModel(service)}`;
      if (status !== null && status >= 400 && status < 500) return `${name} refused the request. ${forModel(service)}`;
      return status === null
        ? `${name} did not respond. Check ${addressVariable}, the firewall, and that the server is running.`
        : `${name} is having problems. Try again later, and check the status page of the service.`;
  }
}

const forModel = ({ model, modelVariable }: Service): string =>
  modelVariable === null
    ? 'Try again; if this persists, report it.'
    : `Check ${modelVariable} (${model ?? 'not set'}): the model may be too small or of the wrong kind.`;

const forUnknownModel = ({ name, model, modelVariable, addressVariable }: Service): string =>
  modelVariable === null
    ? `Check ${addressVariable}.`
    : `${name} has no model ${model ?? ''} for this key. Choose another in ${modelVariable}, and check ${addressVariable}.`;

interface Clues {
  status: number | null;
  /** For example `model_not_found` or `ECONNREFUSED`. */
  codes: string[];
}

const CODE = /\b(E[A-Z_]{4,}|[a-z]+(?:_[a-z]+)+)\b/g;
const STATUS = /(?:^|\s|: )([45]\d\d)\b/;

/** Extracts codes only, because a message may contain an address with a password or repeat the key. */
function cluesOf(error: Error): Clues {
  let status: number | null = null;
  const codes: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
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
