/** What went wrong with a voice, in the contract's codes. */
import { failure } from '../../failure.ts';
import { SpeechFailure } from '../../speech/index.ts';

/** What is no failure of a service stays what it is. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof SpeechFailure)) return error;
  if (error.reason === 'key_refused') return failure('coach.misconfigured');
  if (error.reason === 'busy') return failure('coach.busy');
  return failure('coach.unavailable', { detail: error.reason });
}
