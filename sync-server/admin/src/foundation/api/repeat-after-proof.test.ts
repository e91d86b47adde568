import { ORPCError } from '@orpc/client';
import { expect, it } from 'vitest';
import { createIdentity, type IdentityNeed } from './identity.ts';
import { repeatAfterProof } from './repeat-after-proof.ts';

/** The server refuses a request before the contract's router sees it, so the client finds the code only in the body. */
const refusal = (code: string, data?: object): ORPCError<string, unknown> =>
  new ORPCError('MALFORMED_ORPC_ERROR_RESPONSE', { status: 401, data: { body: { code, data } } });

/** Calls a server that gives these answers in turn, and proves the user's identity each time it is demanded. */
async function callWith(answers: readonly (string | Error)[], path = ['admin', 'overview']) {
  const identity = createIdentity();
  const needs: IdentityNeed[] = [];
  identity.subscribe(() => {
    const need = identity.readNeed();
    if (need === null) return;
    needs.push(need);
    queueMicrotask(() => identity.settle(true));
  });
  const left = [...answers];
  const next = async (): Promise<unknown> => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const outcome = await repeatAfterProof(identity)({ next, path }).catch(
    (error: ORPCError<string, unknown>) => error.code,
  );
  return { outcome, needs };
}

it('says that the account that signed in is not an admin’s', async () => {
  expect(await callWith([refusal('auth.required'), refusal('auth.forbidden')])).toEqual({
    outcome: 'auth.forbidden',
    needs: ['sign_in'],
  });
});

it('asks for each proof that the server demands, one after the other', async () => {
  const answers = [
    refusal('auth.required'),
    refusal('auth.second_factor_required', { detail: 'enter' }),
    'the overview',
  ];
  expect(await callWith(answers)).toEqual({ outcome: 'the overview', needs: ['sign_in', 'second_factor'] });
});

it('leaves the calls that prove the identity to their dialog', async () => {
  expect(await callWith([refusal('auth.required')], ['web', 'signIn'])).toEqual({
    outcome: 'auth.required',
    needs: [],
  });
});
