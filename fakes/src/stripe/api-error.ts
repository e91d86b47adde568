/** Errors in Stripe's format. They are thrown, because a request can fail at any depth. */

type ErrorType = 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';

export interface ErrorBody {
  type: ErrorType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: { id: string; object: 'payment_intent' };
}

export class ApiError extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export const invalidRequest = (
  message: string,
  details: { code?: string; param?: string; status?: number } = {},
): ApiError => {
  const { status = 400, ...rest } = details;
  return new ApiError(status, { type: 'invalid_request_error', message, ...rest });
};

/**
 * For features that Stripe supports but the fake does not. The message says so, so that it is not mistaken for Stripe's
 * answer.
 */
export const unsupportedByFake = (what: string, param?: string): ApiError =>
  invalidRequest(`The Stripe fake does not model ${what}. Stripe itself may accept it.`, {
    code: 'fake_unmodelled',
    ...(param === undefined ? {} : { param }),
  });

/** `status`: 404 for an id in the path, 400 for an id in a parameter. */
export const notFound = (noun: string, id: string, { param = 'id', status = 404 } = {}): ApiError =>
  invalidRequest(`No such ${noun}: '${id}'`, { code: 'resource_missing', param, status });

export const cardDeclined = (details: Partial<ErrorBody> = {}): ApiError =>
  new ApiError(402, { type: 'card_error', ...CARD_DECLINED, ...details });

export const CARD_DECLINED = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};
