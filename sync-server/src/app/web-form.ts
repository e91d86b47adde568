/** What a form of our pages has sent. */
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Caller } from './request-caller.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 8 * 1_024;

export function readForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
}

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

export const strictForm = (caller: Caller, { config, ...options }: RouteShorthandOptions): RouteShorthandOptions => ({
  ...options,
  config: { ...config, caller },
});
