/** Parses the forms of our own pages. */
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { BodySender } from '../http/request-bodies/body-sender.ts';

const FORM_LIMIT_BYTES = 8 * 1_024;

export async function registerFormParser(scope: FastifyInstance): Promise<void> {
  await scope.register(formbody, {
    bodyLimit: FORM_LIMIT_BYTES,
    // `URLSearchParams` says which value counts when a field is repeated, and has no field for a prototype.
    parser: (text) => ({ fields: new URLSearchParams(text) }),
  });
}

export function formBody({ body }: FastifyRequest): URLSearchParams {
  const fields = typeof body === 'object' && body !== null && 'fields' in body ? body.fields : null;
  return fields instanceof URLSearchParams ? fields : new URLSearchParams();
}

export const rateLimitedForm = (
  caller: BodySender,
  { config, ...options }: RouteShorthandOptions,
): RouteShorthandOptions => ({
  ...options,
  config: { ...config, caller },
});
