/** Errors in the shape in which Stripe sends them. Thrown, since a call may turn out to be impossible at any depth. */

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

export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

export const refuse = (message: string, details: { code?: string; param?: string; status?: number } = {}): Refused => {
  const { status = 400, ...rest } = details;
  return new Refused(status, { type: 'invalid_request_error', message, ...rest });
};

/** Stripe knows this and the twin does not: said plainly, so that nobody takes it for Stripe's word. */
export const refuseUnmodelled = (what: string, param?: string): Refused =>
  refuse(`The Stripe twin does not model ${what}. Stripe itself may accept it.`, {
    code: 'twin_unmodelled',
    ...(param === undefined ? {} : { param }),
  });

/** `status`: 404 for what the address names, 400 for what a parameter names. */
export const refuseMissing = (noun: string, id: string, { param = 'id', status = 404 } = {}): Refused =>
  refuse(`No such ${noun}: '${id}'`, { code: 'resource_missing', param, status });

export const refuseCard = (details: Partial<ErrorBody> = {}): Refused =>
  new Refused(402, { type: 'card_error', ...CARD_DECLINED, ...details });

export const CARD_DECLINED = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};
