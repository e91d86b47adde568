/** Builds errors in OpenAI's format. */
import type { ErrorObject } from 'openai/resources/shared';

export interface FakeErrorResponse {
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

export const createError = (
  status: number,
  {
    code,
    message,
    param,
    retryAfterMs,
  }: { code?: string; message?: string; param?: string; retryAfterMs?: number } = {},
): FakeErrorResponse => ({
  status,
  error: {
    message: message ?? `The fake was told to answer ${status}.`,
    type: TYPE_BY_STATUS[status] ?? 'invalid_request_error',
    param: param ?? null,
    code: code ?? CODE_BY_STATUS[status] ?? null,
  },
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
