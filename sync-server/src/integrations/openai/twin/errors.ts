/** Errors as OpenAI words them. */
import type { ErrorObject } from 'openai/resources/shared';

export interface TwinError {
  status: number;
  error: ErrorObject;
  retryAfterMs?: number;
}

const TYPE_BY_STATUS: Record<number, string> = {
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  429: 'requests',
  500: 'server_error',
};
const CODE_BY_STATUS: Record<number, string> = {
  401: 'invalid_api_key',
  403: 'unsupported_country_region_territory',
  429: 'rate_limit_exceeded',
};

export const errorOf = (
  status: number,
  {
    code,
    message,
    param,
    retryAfterMs,
  }: { code?: string; message?: string; param?: string; retryAfterMs?: number } = {},
): TwinError => ({
  status,
  error: {
    message: message ?? `The twin was told to answer ${status}.`,
    type: TYPE_BY_STATUS[status] ?? 'invalid_request_error',
    param: param ?? null,
    code: code ?? CODE_BY_STATUS[status] ?? null,
  },
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
